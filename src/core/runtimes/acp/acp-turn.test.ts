import { afterEach, describe, expect, it } from 'vitest';
import { type AcpRig, acpRig } from '../../../../test/fakes/acp-rig.ts';
import { countingTool } from '../../../../test/fakes/runtime-rig.ts';
import type { ApprovalGate, GateDecision } from '../../approvals/approval-gate.ts';
import { transcriptText } from '../../models/messages.ts';

const deny: GateDecision = { type: 'deny', by: 'operator', reason: 'The operator denied it: not today' };
const denyAll: ApprovalGate['check'] = async () => deny;

let rigs: AcpRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.map((rig) => rig.end()));
  rigs = [];
});

function rig(...given: Parameters<typeof acpRig>): AcpRig {
  const made = acpRig(...given);
  rigs.push(made);
  return made;
}

const shell = (command: string): string =>
  JSON.stringify({ title: command, kind: 'execute', rawInput: { command } });
/** Gemini mentions a command first, by its title alone. */
const titled = (command: string): string => JSON.stringify({ title: command, kind: 'execute' });
const edit = (path: string, oldText: string | null, newText: string): string =>
  JSON.stringify({ title: 'edit', kind: 'edit', content: [{ type: 'diff', path, oldText, newText }] });

describe('Turn of the cli-local runtime by the Agent Client Protocol', () => {
  it('streams the answer, and skips what is no message', async () => {
    const r = rig();
    r.say('noise\nsay Hello.');
    const events = await r.run();
    expect(events.filter(({ type }) => type === 'text_delta')).toEqual([
      { type: 'text_delta', text: 'Hello.' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['Hello.'], messageSent: false });
    expect(r.session()).toMatch(/^S\n/);
  });

  it('shows the plan as one step that changes, and the thinking before each action', async () => {
    const r = rig();
    const plan = (first: string): string =>
      JSON.stringify([
        { content: 'Read', priority: 'high', status: first },
        { content: 'Write', priority: 'low', status: 'pending' },
      ]);
    r.say(`think I should look.\nplan ${plan('in_progress')}\nplan ${plan('completed')}\nsay Done.`);
    const events = await r.run();
    const steps = new Map(
      events.flatMap((event) => (event.type === 'step' ? [[event.step.callId, event.step] as const] : [])),
    );
    expect([...steps.values()]).toMatchObject([
      { tool: 'thinking', state: 'done', detail: 'I should look.' },
      {
        tool: 'plan',
        state: 'done',
        plan: [
          { text: 'Read', state: 'completed' },
          { text: 'Write', state: 'pending' },
        ],
      },
    ]);
    // Neither is part of the answer.
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['Done.'] });
  });

  it.each(['call', 'bare'])('takes each action to the gate with its real arguments (%s)', async (word) => {
    const r = rig();
    r.say(`${word} ${shell('rm -rf build')}\nsay Done.`);
    const events = await r.run();
    expect(r.checked).toMatchObject([
      { tool: 'shell', args: { cmd: 'rm -rf build' }, assessment: { risk: 'high' } },
    ]);
    expect(events.findLast(({ type }) => type === 'step')).toMatchObject({ step: { state: 'done' } });
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['Done.'] });
  });

  it('reads a command out of the title if the program names it nowhere else', async () => {
    const r = rig();
    r.say(`bare ${titled('touch b')}\nsay ok`);
    await r.run();
    expect(r.checked).toMatchObject([{ tool: 'shell', args: { cmd: 'touch b' } }]);
  });

  it('shows a write as a difference, and a denied one does not happen', async () => {
    const r = rig({ decide: denyAll });
    r.say(`call ${edit(`${r.workspace}/a.txt`, null, 'one\n')}\nsay Sorry.`);
    const events = await r.run();
    expect(r.checked.at(-1)).toMatchObject({ tool: 'write_file', assessment: { preview: { kind: 'diff' } } });
    expect(r.checked.at(-1)?.assessment.preview.body).toContain('+one');
    expect(r.files()).toEqual([]);
    expect(events.findLast(({ type }) => type === 'step')).toMatchObject({ step: { state: 'denied' } });
  });

  it('does what was allowed', async () => {
    const r = rig();
    r.say(`call ${edit(`${r.workspace}/a.txt`, '', 'one\n')}\nsay ok`);
    await r.run();
    expect(r.files()).toEqual(['a.txt']);
  });

  it('T9: calls a tool of the host through the gate, once in the record, without a taint by the report', async () => {
    const sent = countingTool('send_message', { group: 'puffo', foreign: false });
    const seen: boolean[] = [];
    const r = rig({
      tools: [sent],
      decide: async (call) => {
        seen.push(call.tainted);
        return { type: 'allow', by: 'policy', receiptId: null };
      },
    });
    r.say(`tool send_message {"path":"one"}\ntool send_message {"path":"two"}\nsay Done.`);
    const events = await r.run();
    expect(sent.done).toHaveLength(2);
    expect(r.checked.map(({ tool }) => tool)).toEqual(['send_message', 'send_message']);
    expect(seen).toEqual([false, false]);
    const steps = events.flatMap((event) => (event.type === 'step' ? [event.step] : []));
    expect(new Set(steps.map(({ tool }) => tool))).toEqual(new Set(['send_message']));
    expect(new Set(steps.map(({ callId }) => callId)).size).toBe(2);
    expect(events.at(-1)).toMatchObject({ type: 'turn_done' });
  });

  it('does not run a tool of the host that was denied, and says so to the program', async () => {
    const sent = countingTool('send_message', { group: 'puffo' });
    const r = rig({ tools: [sent], decide: denyAll });
    r.say('tool send_message {"path":"one"}');
    const events = await r.run();
    expect(sent.done).toEqual([]);
    const text = events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');
    expect(text).toContain('not today');
    expect(events.findLast(({ type }) => type === 'step')).toMatchObject({ step: { state: 'denied' } });
  });

  it('lists the tools of chat, notes and tasks only, and refuses others', async () => {
    const r = rig({ tools: [countingTool('send_message', { group: 'puffo' })] });
    r.say('tools');
    const events = await r.run();
    const text = events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');
    expect([text.includes('send_message'), text.includes('write_file')]).toEqual([true, false]);
    r.nextTurn('tool write_file {"path":"a.txt","content":"x"}');
    await r.run();
    expect([r.files(), r.checked]).toEqual([[], []]);
  });

  it('T9: records a call that the program only claims to be one of the host as its own action', async () => {
    const r = rig({ tools: [countingTool('send_message', { group: 'puffo' })] });
    r.say(`claim send_message\nbare ${shell('touch a')}\nsay ok`);
    await r.run();
    expect(r.checked).toMatchObject([{ tool: 'shell', tainted: true }]);
  });

  it('gives no server to a program that takes none by HTTP', async () => {
    const r = rig({ flags: ['--no-http'] });
    r.say('tools');
    expect((await r.run()).at(-1)).toMatchObject({ parts: ['no server'] });
  });

  it.each([
    ['a tool that Kennel does not know', '{"title":"Teleport","kind":"other","rawInput":{"to":"/"}}'],
    ['a file outside of its folders', edit('/etc/passwd', null, 'x')],
    ['an edit that does not fit its file', edit('a.txt', 'other', 'x')],
    [
      'several files at once',
      '{"kind":"edit","content":[{"type":"diff","path":"a","newText":""},{"type":"diff","path":"b","newText":""}]}',
    ],
    [
      'a command in another folder',
      '{"title":"ls","kind":"execute","rawInput":{"command":"ls","cwd":"/etc"}}',
    ],
    ['a command that is not named', '{"kind":"execute"}'],
    ['a search outside of its folder', '{"kind":"search","rawInput":{"pattern":"../../**"}}'],
    ["another user's rights", shell('sudo ls')],
  ])('refuses %s', async (_, call) => {
    const r = rig();
    r.say(`bare ${call}\nsay ok`);
    await r.run();
    const results = r.transcripts.load(r.thread).filter(({ message }) => message.role === 'toolResult');
    expect(results).toMatchObject([{ message: { isError: true } }]);
  });

  it.each([
    ['access', 'unauthenticated'],
    ['limit', 'rate_limited'],
    ['connection', 'unavailable'],
    ['service', 'model_error'],
  ])(
    'reports a turn that ends like an answered one with a failure of category %s',
    async (category, code) => {
      const r = rig();
      r.say(`fail ${category} The server did not like it.`);
      expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code } });
    },
  );

  it('cancels a request that cannot be read', async () => {
    const r = rig();
    r.say('odd');
    expect((await r.run()).at(-1)).toMatchObject({ parts: ['{"outcome":{"outcome":"cancelled"}}'] });
    expect(r.checked).toEqual([]);
  });

  it('continues the session in a new process, without what the program repeats', async () => {
    const r = rig();
    r.say('say One.');
    await r.run();
    r.restart();
    r.nextTurn('say Two.');
    const events = await r.run();
    expect(events.at(-1)).toMatchObject({ parts: ['Two.'] });
    expect(JSON.stringify(events)).not.toContain('said');
    expect(r.session()).toMatch(/say One.*say Two/s);
    expect(r.session()).not.toContain('You answered');
  });

  it.each([
    ['has lost the old one', []],
    ['resumes none', ['--no-load']],
  ])('tells a new session the conversation if the program %s', async (_, flags) => {
    const r = rig({ flags });
    r.say('say One.');
    await r.run();
    r.restart();
    if (flags.length === 0) r.loseSessions();
    r.nextTurn('say Two.');
    const parts = [expect.stringMatching(/Two\.$/)];
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts });
    expect(r.session()).toContain('You answered:\nOne.');
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

  it('ends a program that is stopped before it has a session', async () => {
    const r = rig({ flags: ['--stuck'] });
    r.say('say never');
    const running = r.run();
    await expect.poll(() => r.started()).toBe(1);
    const begun = performance.now();
    r.abort('stopped');
    expect((await running).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'cancelled' } });
    // A start may take a minute.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('ends a program that was stopped while it asked, because its commands may run on', async () => {
    const r = rig({
      decide: (_, signal) =>
        new Promise((resolve) => {
          r.abort('stopped');
          signal.addEventListener('abort', () => resolve(deny));
        }),
    });
    r.say(`call ${shell('sleep 100')}`);
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'cancelled' } });
    r.nextTurn('say Back.');
    expect((await r.run()).at(-1)).toMatchObject({ parts: ['Back.'] });
    expect(r.started()).toBe(2);
  });

  it.each([
    ['refuse -32000 Log in first', 'unauthenticated'],
    ['refuse 401 Unauthorized', 'unauthenticated'],
    ['refuse 400 Bad request', 'model_error'],
    ['refuse -32603 Internal error: refused with 429', 'rate_limited'],
    ['refuse 503 Overloaded', 'unavailable'],
    ['exit 3', 'unavailable'],
    ['empty', 'model_error'],
  ])('ends with an error after "%s"', async (script, code) => {
    const r = rig();
    r.say(script);
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code } });
  });

  it('refuses a program that speaks another version', async () => {
    const r = rig({ flags: ['--old'] });
    r.say('say Hello.');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'unsupported' } });
  });

  it('sets the mode that asks, and refuses a program without it', async () => {
    const r = rig({ flags: ['--mode', 'yolo'] });
    r.say('say Hello.');
    expect((await r.run()).at(-1)).toMatchObject({ parts: ['Hello.'] });
    const other = rig({ mode: 'ask' });
    other.say('say Hello.');
    expect((await other.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'forbidden' } });
  });

  it('ends a program that leaves the mode that asks', async () => {
    const r = rig();
    r.say('mode yolo');
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'forbidden' } });
  });

  it('T9: taints the turn with what an action brings in, also without a request', async () => {
    const r = rig();
    r.say(`act {"kind":"read","locations":[{"path":"a"}]}\ncall ${shell('ls')}\nsay ok`);
    const fresh = rig();
    fresh.say(`call ${shell('ls')}\nsay ok`);
    await Promise.all([r.run(), fresh.run()]);
    expect([r, fresh].map(({ checked }) => checked[0]?.tainted)).toEqual([true, false]);
  });

  it('is ended if the gate fails in the middle of a turn', async () => {
    const r = rig({
      trusted: true,
      decide: async () => {
        throw new Error('the store is gone');
      },
    });
    r.say(`call ${shell('ls')}\nsay Done.`);
    expect((await r.run()).at(-1)).toMatchObject({
      type: 'turn_failed',
      error: { code: 'unavailable', said: { key: 'turns.gateLost' } },
    });
    expect(r.started()).toBe(1);
  });

  it('records calls and results in the form of every runtime', async () => {
    const r = rig();
    r.say(`say First.\ncall ${shell('ls')}\nsay ok`);
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
      { type: 'text', text: 'First.' },
      { type: 'toolCall', name: 'shell', arguments: { cmd: 'ls' } },
    ]);
    expect(messages[3] && transcriptText(messages[3])).toBe('tool done');
  });
});
