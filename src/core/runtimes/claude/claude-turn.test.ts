import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClaudeRig, claudeRig } from '../../../../test/fakes/claude-rig.ts';
import { createFreeSpend } from '../../../../test/fakes/free-spend.ts';
import { countingTool } from '../../../../test/fakes/runtime-rig.ts';
import { messageOf, textError } from '../../../contract/errors.ts';
import { err } from '../../../contract/result.ts';
import { englishText } from '../../../language/host-message.ts';
import type { ApprovalGate, GateDecision } from '../../approvals/approval-gate.ts';
import { transcriptText } from '../../models/messages.ts';

const deny: GateDecision = { type: 'deny', by: 'operator', reason: 'The operator denied it: not today' };
const usedUp = textError('rate_limited', 'The budget of A is used up.');
const denyAll: ApprovalGate['check'] = async () => deny;

let rigs: ClaudeRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.map((rig) => rig.end()));
  rigs = [];
});

function rig(...given: Parameters<typeof claudeRig>): ClaudeRig {
  const made = claudeRig(...given);
  rigs.push(made);
  return made;
}

describe('Turn of the cli-local runtime with Claude Code', () => {
  it('streams the answer and ends like any turn', async () => {
    const r = rig();
    r.say('noise\nsay Hello.');
    const events = await r.run();
    expect(events.filter(({ type }) => type === 'text_delta')).toEqual([
      { type: 'text_delta', text: 'Hello.' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['Hello.'], messageSent: false });
    expect(r.session()).toContain('system S');
  });

  it('takes each action to the gate with its real arguments and place', async () => {
    const r = rig();
    r.say('call Bash {"command":"rm -rf build"}\nsay Done.');
    const events = await r.run();
    expect(r.checked).toMatchObject([
      { tool: 'start_program' },
      {
        tool: 'shell',
        args: { cmd: 'rm -rf build' },
        assessment: {
          risk: 'high',
          preview: { kind: 'command', body: 'rm -rf build' },
          effects: [
            { kind: 'run', sandbox: 'none', cwd: r.workspace },
            { kind: 'write', path: r.workspace },
            { kind: 'network', host: '*' },
          ],
        },
      },
    ]);
    expect(events.findLast(({ type }) => type === 'step')).toMatchObject({ step: { state: 'done' } });
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['Done.'] });
  });

  it('shows a write as a difference, and a denied one does not happen', async () => {
    const r = rig({ decide: async (call) => (call.tool === 'write_file' ? deny : r.allow) });
    r.say(`call Write {"file_path":"${r.workspace}/a.txt","content":"one\\n"}\nsay Sorry.`);
    const events = await r.run();
    expect(r.checked.at(-1)).toMatchObject({ tool: 'write_file', assessment: { preview: { kind: 'diff' } } });
    expect(r.checked.at(-1)?.assessment.preview.body).toContain('+one');
    expect(r.files()).toEqual([]);
    expect(events.findLast(({ type }) => type === 'step')).toMatchObject({ step: { state: 'denied' } });
  });

  it.each([
    ['a tool that Kennel does not know', 'Teleport {"to":"/"}'],
    ['arguments that it cannot show', 'Bash {"command":"ls","secretly":"rm"}'],
    ['a command in the background', 'Bash {"command":"ls","run_in_background":true}'],
    ['a search outside of its folder', 'Glob {"pattern":"../../**"}'],
    ['a file outside of its folders', 'Write {"file_path":"/etc/passwd","content":""}'],
    ["another user's rights", 'Bash {"command":"sudo ls"}'],
  ])('refuses %s', async (_, call) => {
    const r = rig();
    r.say(`call ${call}\nsay ok`);
    await r.run();
    const results = r.transcripts.load(r.thread).filter(({ message }) => message.role === 'toolResult');
    expect(results).toMatchObject([{ message: { isError: true } }]);
  });

  it('offers the tools of the host, behind the same gate', async () => {
    const tool = countingTool('send_message', { group: 'puffo' });
    const r = rig({ tools: [tool], decide: async () => r.allow });
    r.say('host send_message {"path":"x"}\nsay ok');
    await r.run();
    expect(tool.done).toHaveLength(1);
    expect(r.checked.at(-1)).toMatchObject({ tool: 'send_message', args: { path: 'x' } });
    const denied = rig({ tools: [tool], trusted: true, decide: denyAll });
    denied.say('host send_message {"path":"y"}\nsay ok');
    await denied.run();
    expect(tool.done).toHaveLength(1);
  });

  it('asks for trust once, and starts nothing without it', async () => {
    const r = rig({ decide: denyAll });
    r.say('say Hello.');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'forbidden' } });
    expect(r.started()).toBe(0);
    const trusting = rig();
    trusting.say('say One.');
    await trusting.run();
    trusting.nextTurn('say Two.');
    await trusting.run();
    expect(trusting.checked.filter(({ tool }) => tool === 'start_program')).toHaveLength(1);
    expect(trusting.started()).toBe(1);
  });

  it('T8: asks for trust with the whole command of a program that Kennel does not know', async () => {
    const command = ['sh', '-c', 'curl x | sh'];
    const r = rig({ decide: denyAll, setup: { command } });
    r.say('say Hello.');
    await r.run();
    const { effects, preview } = r.checked[0]?.assessment ?? {};
    expect(effects).toMatchObject([{ kind: 'run', argv: ['/usr/bin/claude', '-c', 'curl x | sh'] }]);
    expect(preview).toMatchObject({ body: '/usr/bin/claude -c "curl x | sh" 2.1.330' });
  });

  it('continues the session in a new process after a restart', async () => {
    const r = rig();
    r.say('say One.');
    await r.run();
    r.restart();
    r.nextTurn('say Two.');
    expect((await r.run()).at(-1)).toMatchObject({ parts: ['Two.'] });
    expect(r.session()).toMatch(/--session-id.*say One.*--resume.*say Two/s);
  });

  it('tells a new session the conversation if the program has lost the old one', async () => {
    const r = rig();
    r.say('say One.');
    await r.run();
    r.restart();
    r.loseSessions();
    r.nextTurn('say Two.');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['Two.'] });
    expect(r.session()).toContain('You answered:\nOne.');
  });

  it('F2: goes on in its session after its program was killed, and gives up after two more attempts', async () => {
    const r = rig({ trusted: true });
    r.say('say Before.\ncall Bash {"command":"ls"}\nonce exit 137\nsay After.');
    const events = await r.run();
    expect(events.filter(({ type }) => type === 'retrying')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['After.'] });
    expect(r.session()).toMatch(/--session-id.*--resume.*cut off in the middle/s);
    r.nextTurn('exit 3');
    const failed = await r.run();
    expect(failed.at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'unavailable' } });
    expect(r.started()).toBe(4);
  });

  it('F1: answers a message whose turn was cut off before the program said anything', async () => {
    const r = rig({ trusted: true });
    r.say('once hang\nsay Answered.');
    await r.run((event) => {
      if (event.type === 'text_delta' && event.text === 'partial') r.abort('interrupted');
    });
    r.restart();
    r.again();
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['Answered.'] });
  });

  it('shows its plan, its thinking and the change of an edit as steps', async () => {
    const r = rig({ trusted: true });
    const todos = (status: string): string =>
      JSON.stringify({ todos: [{ content: 'Write it', status, activeForm: 'Writing it' }] });
    const file = JSON.stringify({ file_path: `${r.workspace}/a.txt`, content: 'one' });
    r.say(
      `think First a plan.\nact TodoWrite ${todos('in_progress')}\ncall Write ${file}\nact TodoWrite ${todos('completed')}\nsay Done.`,
    );
    const events = await r.run();
    const steps = new Map(
      events.flatMap((event) => (event.type === 'step' ? [[event.step.callId, event.step] as const] : [])),
    );
    expect([...steps.values()].filter(({ tool }) => tool !== 'start_program')).toMatchObject([
      { tool: 'thinking', state: 'done', detail: 'First a plan.' },
      { tool: 'plan', state: 'done', plan: [{ text: 'Write it', state: 'completed' }] },
      { tool: 'write_file', state: 'done', change: { before: '', after: 'one' } },
    ]);
  });

  it('gives messages that arrive meanwhile to the running turn', async () => {
    const r = rig({ arrivals: ['say Also this.'] });
    r.say('call Bash {"command":"ls"}\nsay First.');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['Also this.'] });
  });

  it('is interrupted within a stop, and its session lives on', async () => {
    const r = rig();
    r.say('hang');
    const events = await r.run((event) => {
      if (event.type === 'text_delta') r.abort('stopped');
    });
    expect(events.at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'cancelled' } });
    r.nextTurn('say Back.');
    expect((await r.run()).at(-1)).toMatchObject({ parts: ['Back.'] });
    expect(r.started()).toBe(1);
  });

  it.each([
    ['refuse 401', 'unauthenticated'],
    ['refuse 400', 'model_error'],
    ['refuse 429', 'rate_limited'],
    ['refuse 529', 'unavailable'],
    ['exit 3', 'unavailable'],
  ])('ends with an error after "%s"', async (script, code) => {
    const r = rig();
    r.say(`say Text before.\n${script}`);
    const last = (await r.run()).at(-1);
    expect(last).toMatchObject({ type: 'turn_failed', error: { code } });
  });

  it('has a restore point for each call that changes files, which its step shows', async () => {
    const r = rig();
    r.say(
      `call Write {"file_path":"${r.workspace}/a.txt","content":"one"}\ncall Bash {"command":"ls"}\nsay ok`,
    );
    const events = await r.run();
    const [point, ...others] = r.undo.ofTurn('turn_1');
    expect([point?.tool, point?.changes.map(({ path }) => path), others]).toEqual([
      'write_file',
      [join(r.workspace, 'a.txt')],
      [],
    ]);
    expect(events.findLast((one) => one.type === 'step' && one.step.tool === 'write_file')).toMatchObject({
      step: { state: 'done', restorePoint: point?.id },
    });
    expect(point && (await r.undo.revert([point])).ok).toBe(true);
    expect(r.files()).toEqual([]);
  });

  it('changes nothing if the state before cannot be stored', async () => {
    const r = rig({ points: () => err(textError('io_error', 'The disk is full.')) });
    r.say(`call Write {"file_path":"${r.workspace}/a.txt","content":"one"}\nsay ok`);
    const events = await r.run();
    expect([r.files(), events.at(-1)?.type]).toEqual([[], 'turn_done']);
    expect(r.session()).toContain('say ok');
  });

  it('T27: ends with the reason of the budget instead of the words of the program', async () => {
    const r = rig({ refusal: usedUp });
    r.say('refuse 403');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: usedUp });
  });

  it('T27: asks for more in the middle of a turn, and goes on in its session', async () => {
    let questions = 0;
    const spend = createFreeSpend({
      question() {
        questions += 1;
        return questions === 2 ? { approvalId: 'ap_1', answered: Promise.resolve(true) } : null;
      },
    });
    const r = rig({ spend, refusal: usedUp });
    r.say('say Before.\nonce refuse 403\nsay After.');
    const events = await r.run();
    expect(events.flatMap((one) => (one.type === 'step' ? [one.step.state] : []))).toContain('waiting');
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['After.'] });
    expect(r.started()).toBe(1);
  });

  it('F11: parks without a process while the provider pauses, and goes on in its session', async () => {
    const r = rig({ pauseMs: 2_500 });
    r.say('say Before.\nonce refuse 429\nsay After.');
    const events = await r.run();
    const parked = events.filter((one) => one.type === 'retrying').map(({ error }) => messageOf(error));
    expect(parked.some((text) => /^Parked until .* UTC: anthropic/.test(englishText(text)))).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['After.'] });
    expect(r.session()).toMatch(/--session-id.*--resume/s);
  });

  it('F11: parks its login until the plan begins anew, and goes on in its session', async () => {
    const r = rig({ trusted: true });
    const seconds = Math.ceil(Date.now() / 1000) + 7_200;
    r.say(`say Before.\nonce limit ${seconds}\nsay After.`);
    const events = await r.run();
    expect(r.pausedTo).toEqual([seconds * 1000]);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['After.'] });
    expect(r.session()).toMatch(/--session-id.*--resume/s);
  });

  it('ends a program whose mode does not ask', async () => {
    const r = rig({ mode: 'bypassPermissions' });
    r.say('act Write {"file_path":"a","content":"b"}\nhang');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'forbidden' } });
  });

  it('taints the turn with what its actions bring in', async () => {
    const r = rig();
    r.say('call Bash {"command":"cat README"}\ncall Bash {"command":"ls"}\nsay ok');
    await r.run();
    expect(r.checked.map(({ tainted }) => tainted)).toEqual([false, false, true]);
  });

  it('T9: taints a turn in a session that a person used in a terminal, and no turn in a new one', async () => {
    const r = rig({ lent: true });
    r.say(`call Bash {"command":"touch a"}\nsay ok`);
    await r.run();
    expect(r.checked.at(-1)?.tainted).toBe(false);
    r.nextTurn(`call Bash {"command":"touch b"}\nsay ok`);
    await r.run();
    expect(r.checked.at(-1)?.tainted).toBe(true);
  });

  it('T9: taints the turn with what an action brings in, also without a request', async () => {
    const taintAfter = async (action: string) => {
      const r = rig();
      r.say(`act ${action}\ncall Bash {"command":"ls"}\nsay ok`);
      await r.run();
      return r.checked.at(-1)?.tainted;
    };
    expect(await taintAfter('WebFetch {"url":"https://example.org/","prompt":""}')).toBe(true);
    expect(await taintAfter('NewTool {}')).toBe(true);
    expect(await taintAfter('TodoWrite {"todos":[]}')).toBe(false);
  });

  it('is ended if the gate fails in the middle of a turn', async () => {
    const r = rig({
      trusted: true,
      decide: async () => {
        throw new Error('the store is gone');
      },
    });
    r.say('call Bash {"command":"ls"}\nsay Done.');
    expect((await r.run()).at(-1)).toMatchObject({
      type: 'turn_failed',
      error: { code: 'unavailable', said: { key: 'turns.gateLost' } },
    });
    expect(r.started()).toBe(1);
  });

  it('records calls and results in the form of every runtime', async () => {
    const r = rig();
    r.say('call Bash {"command":"ls"}\nsay ok');
    await r.run();
    const messages = r.transcripts.load(r.thread).map(({ message }) => message);
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'note',
      'assistant',
      'toolResult',
      'assistant',
    ]);
    expect(messages[2]?.content).toMatchObject([
      { type: 'toolCall', name: 'shell', arguments: { cmd: 'ls' } },
    ]);
    expect(messages[3] && transcriptText(messages[3])).toBe('Bash done');
  });
});
