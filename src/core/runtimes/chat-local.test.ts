import { describe, expect, it } from 'vitest';
import { createFreeSpend } from '../../../test/fakes/free-spend.ts';
import { countingTool, fromOperator, runtimeRig, thread } from '../../../test/fakes/runtime-rig.ts';
import { calls, fails, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err } from '../../contract/result.ts';
import { englishText } from '../../language/host-message.ts';
import type { GateDecision } from '../approvals/approval-gate.ts';
import { StoreError } from '../lib/store-error.ts';
import { type AssistantMessage, noUsage, textBlock, transcriptText } from '../models/messages.ts';
import type { ModelPort } from '../models/model-ports.ts';
import type { RuntimeEvent } from '../supervisor/runtime-port.ts';

const allow: GateDecision = { type: 'allow', by: 'operator', receiptId: 'r' };
const deny: GateDecision = { type: 'deny', by: 'operator', reason: 'The operator denied it: not today' };
const states = (events: readonly RuntimeEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'step' ? [`${event.step.state} ${englishText(event.step.title)}`] : [],
  );
const overloaded = (retryAfterMs?: number) =>
  fails('overloaded', {
    error: textError('unavailable', 'overloaded'),
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe('Turn of the chat-local runtime', () => {
  it('emits the answer, leaves its storage to the reply, and records the cost once', async () => {
    const r = runtimeRig([{ ...says('hello you'), totalTokens: 10 }]);
    r.say('hi');
    const events = await r.run();
    expect(events.map(({ type }) => type)).toEqual(['text_delta', 'model_called', 'turn_done']);
    expect(events[1]).toMatchObject({ call: { kind: 'model', stop: 'stop', error: '' } });
    expect(events.at(-1)).toMatchObject({ parts: ['hello you'], messageSent: false });
    const end = events.at(-1);
    expect(end?.type === 'turn_done' && end.transcript.map(transcriptText)).toEqual(['hello you']);
    // The final answer is stored together with the reply, not before.
    expect(r.transcripts.load(thread)).toHaveLength(1);
    expect(r.spent).toMatchObject([{ agentId: 'a', turnId: 'turn_1', threadKey: thread, simulated: true }]);
    expect(r.asked[0]?.context.system).toBe('S');
  });

  it('runs a tool through the gate and reports each step', async () => {
    const tool = countingTool('write_file');
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('done')], { tools: [tool] });
    r.say('write x');
    const events = await r.run();
    expect(tool.done).toEqual(['c1 x']);
    expect(r.checked).toMatchObject([
      { tool: 'write_file', group: 'files', turnId: 'turn_1', callId: 'c1', tainted: false },
    ]);
    expect(states(events)).toEqual(['running using write_file on x', 'running writing x', 'done wrote x']);
    expect(r.transcripts.load(thread).map(({ message }) => message.role)).toEqual([
      'user',
      'assistant',
      'toolResult',
    ]);
    expect(r.transcripts.openCalls(thread)).toEqual([]);
  });

  it('does not run a denied call, and gives the reason to the model', async () => {
    const tool = countingTool('write_file');
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('all right')], {
      tools: [tool],
      decide: async () => deny,
    });
    r.say('write x');
    const events = await r.run();
    expect(tool.done).toEqual([]);
    expect(states(events).at(-1)).toBe('denied did not write x');
    const told = r.asked[1]?.context.messages.at(-1);
    expect(told && transcriptText(told)).toContain('not today');
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['all right'] });
  });

  it('T9, T14 asks the gate again if the target changed after approval', async () => {
    let path = '/w/x';
    const tool = countingTool('write_file', {
      assess: () => ({
        risk: 'medium',
        effects: [{ kind: 'write', path }],
        preview: { kind: 'text', title: 'write x', body: '', where: '' },
      }),
    });
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('hm')], {
      tools: [tool],
      decide: async ({ assessment: { effects } }) => {
        path = '/etc/passwd';
        const isKnown = effects[0]?.kind === 'write' && effects[0].path === '/w/x';
        return isKnown ? allow : { type: 'deny', by: 'operator', reason: 'not that one' };
      },
    });
    r.say('write x');
    await r.run();
    expect(r.checked).toHaveLength(2);
    expect(tool.done).toEqual([]);
    expect(JSON.stringify(r.asked[1]?.context.messages.at(-1))).toContain('not that one');
  });

  it('T9 treats the refusal text of a tool as file content and holds back the reply', async () => {
    const blocked = {
      reason: 'not_found',
      message: 'old_text is not in the file. new_text is there already.',
    };
    const tool = countingTool('edit_file', {
      assess: () => ({
        risk: 'low',
        effects: [],
        blocked,
        preview: { kind: 'text', title: 'edit x', body: '', where: '' },
      }),
    });
    const r = runtimeRig([calls(['c1', 'edit_file', { path: 'x' }]), says('it begins with K')], {
      tools: [tool],
      answersIn: { roomId: 'ch_1', by: 'reply' },
      deps: {
        isOperator: () => false,
        audience: {
          of: async (roomId) => ({ roomId, outsiders: ['mallory-1'] }),
          isOwnRoom: () => false,
          shares: () => [],
          roomName: (roomId) => roomId,
        },
      },
      decide: async () => deny,
    });
    r.say('does the file begin with K?');
    await r.run();
    expect(r.checked.at(-1)).toMatchObject({ tool: 'reply', heldBack: { sources: ['files'] } });
  });

  it.each([
    ['refuses', 'send_file', { refusalReveals: ['files'] as const }, deny],
    ['fails', 'write_file', { refusalReveals: ['files'] as const }, allow],
    ['has denied', 'read_file', {}, deny],
  ])(
    'T9 holds back the reply about a call that the tool or the operator %s',
    async (how, name, more, answer) => {
      const preview = { kind: 'text', title: 'x', body: '', where: '' } as const;
      const blocked = { reason: 'not_found', message: 'There is no such file.' };
      const tool = countingTool(name, {
        ...(how === 'has denied' ? {} : { reveals: [] }),
        ...more,
        assess: () => ({ risk: 'low', effects: [], preview, ...(how === 'refuses' ? { blocked } : {}) }),
        execute: async () => ({ content: [textBlock('It is a folder.')], isError: true }),
      });
      const r = runtimeRig([calls(['c1', name, { path: 'x' }]), says('there is one')], {
        tools: [tool],
        answersIn: { roomId: 'ch_1', by: 'reply' },
        deps: {
          isOperator: () => false,
          audience: {
            of: async (roomId) => ({ roomId, outsiders: ['mallory-1'] }),
            isOwnRoom: () => false,
            shares: () => [],
            roomName: (roomId) => roomId,
          },
        },
        decide: async () => answer,
      });
      r.say('is there a file x?');
      await r.run();
      expect(r.checked.at(-1)).toMatchObject({ tool: 'reply', heldBack: { sources: ['files'] } });
    },
  );

  it('does not count the wait for the operator as turn time', async () => {
    let answer = (_: GateDecision): void => undefined;
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('done')], {
      tools: [countingTool('write_file')],
      turnMs: 60_000,
      decide: () => {
        r.waiting.add('c1');
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    r.say('write x');
    const running = r.run();
    await settle(50);
    await r.clock.advance(3_600_000);
    answer(allow);
    const events = await running;
    expect(events.at(-1)).toMatchObject({ type: 'turn_done' });
    expect(states(events)).toContain('waiting writing x');
  });

  it('fails with a timeout if it takes too long', async () => {
    const r = runtimeRig([{ ...says('never ends'), hangAfter: 0 }], { turnMs: 30_000 });
    r.say('hi');
    const running = r.run();
    await settle(20);
    await r.clock.advance(31_000);
    const end = (await running).at(-1);
    expect(end).toMatchObject({ type: 'turn_failed', error: { code: 'timeout' } });
  });
});

describe('Failing models', () => {
  it('F11 retries after the requested delay, not earlier, and drops the partial answer', async () => {
    const r = runtimeRig([overloaded(20_000), says('whole')]);
    r.say('hi');
    const running = r.run();
    await settle(20);
    await r.clock.advance(19_000);
    expect(r.asked).toHaveLength(1);
    await r.clock.advance(2_000);
    const events = await running;
    expect(events.find(({ type }) => type === 'retrying')).toMatchObject({ inMs: 20_000 });
    expect((r.asked[1]?.at ?? 0) - (r.asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(20_000);
    expect(events.at(-1)).toMatchObject({ parts: ['whole'] });
  });

  it('F11 waits at the provider gate longer than the agent loop would', async () => {
    const r = runtimeRig([overloaded(300_000), says('late')], { turnMs: 3_600_000 });
    r.say('hi');
    const running = r.run();
    await settle(20);
    await r.clock.advance(299_000);
    expect(r.asked).toHaveLength(1);
    await r.clock.advance(60_000);
    expect((await running).at(-1)).toMatchObject({ parts: ['late'] });
  });

  it('F11 fails the turn after the last retry', async () => {
    const r = runtimeRig([overloaded(), overloaded(), overloaded(), overloaded()], { turnMs: 3_600_000 });
    r.say('hi');
    const running = r.run();
    await settle(20);
    await r.clock.advance(600_000);
    expect((await running).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'unavailable' } });
    expect(r.asked).toHaveLength(4);
  });

  it('does not retry permanent failures, and sends no request if the budget is used up', async () => {
    const refused = runtimeRig([fails('no', { error: textError('not_found', 'no such model') })]);
    refused.say('hi');
    expect((await refused.run()).at(-1)).toMatchObject({ error: { message: 'no such model' } });
    const spent = runtimeRig([says('x')], {
      deps: {
        spend: createFreeSpend({ admit: () => err(textError('rate_limited', 'used up')) }),
      },
    });
    spent.say('hi');
    expect((await spent.run()).at(-1)).toMatchObject({ error: { message: 'used up' } });
    expect(spent.asked).toHaveLength(0);
    const nobody = runtimeRig([], { deps: { choose: () => err(textError('unauthenticated', 'no key')) } });
    nobody.say('hi');
    expect(await nobody.run()).toMatchObject([{ error: { code: 'unauthenticated' } }]);
  });

  it('F13 fails the turn and keeps its text if the stream breaks off', async () => {
    const cut = { ...says('half a sentence'), emit: 'noEnd' as const };
    const r = runtimeRig([cut, cut, cut, cut], { turnMs: 3_600_000 });
    r.say('hi');
    const running = r.run();
    await settle(50);
    await r.clock.advance(600_000);
    expect((await running).at(-1)).toMatchObject({ type: 'turn_failed', partialText: 'half a sentence' });
  });
});

describe('Steering, stop and storage', () => {
  it('F12 tolerates minutes of model silence, and ends a model that never continues', async () => {
    const r = runtimeRig([{ ...says('half'), hangAfter: 1 }], { turnMs: 3_600_000 });
    r.say('hi');
    const run = r.run();
    let over = false;
    void run.then(() => {
      over = true;
    });
    await settle(20);
    await r.clock.advance(320_000);
    expect(over).toBe(false);
    await r.clock.advance(600_000);
    expect((await run).at(-1)).toMatchObject({ type: 'turn_failed' });
    expect(r.asked.length).toBeGreaterThan(1);
  });

  it('estimates usage of a stopped request without reported usage, and records none if nothing began', async () => {
    const r = runtimeRig([{ ...says('x'.repeat(400)), hangAfter: 1 }]);
    r.say('y'.repeat(4_000));
    const run = r.run();
    await settle(200);
    r.abort('stopped');
    await run;
    expect(r.spent).toMatchObject([{ turnId: 'turn_1', usage: { output: 100, cost: { total: 0.001211 } } }]);
    expect(r.spent[0]?.usage.input).toBeGreaterThan(1_000);
    const refused = runtimeRig([fails('no')]);
    refused.say('hi');
    await refused.run();
    expect(refused.spent).toEqual([]);
  });

  it('records usage of failed and unstoppable requests, and of each answer even if its id repeats', async () => {
    const broken = { ...fails('declined'), blocks: says('y'.repeat(40)).blocks, input: 50 };
    const failed = runtimeRig([broken]);
    failed.say('hi');
    await failed.run();
    expect(failed.spent).toMatchObject([{ unfinished: true, usage: { input: 50, output: 10 } }]);
    const deaf: ModelPort = {
      api: 'openai-responses',
      async *stream() {
        const usage = { ...noUsage, input: 30, output: 1, totalTokens: 31 };
        const partial: AssistantMessage = {
          role: 'assistant',
          api: 'a',
          provider: 'fake',
          model: 'm',
          timestamp: 1,
          stopReason: 'stop',
          content: [textBlock('z'.repeat(80))],
          usage,
        };
        yield { type: 'start', partial };
        yield { type: 'text_start', contentIndex: 0, partial };
        await new Promise(() => undefined);
      },
    };
    const r = runtimeRig([], { deps: { model: async () => deaf } });
    r.say('hi');
    const run = r.run();
    await settle(50);
    r.abort('stopped');
    await settle(50);
    await r.clock.advance(10_000);
    await run;
    expect(r.spent).toMatchObject([{ usage: { input: 30, output: 20, totalTokens: 50 } }]);
    const same = { ...says('hi'), totalTokens: 10 };
    const twice = runtimeRig([{ ...calls(['c1', 'write_file', { path: 'x' }]), totalTokens: 10 }, same], {
      tools: [countingTool('write_file')],
    });
    twice.say('hi');
    await twice.run();
    expect(new Set(twice.spent.map(({ callId }) => callId)).size).toBe(2);
  });

  it('includes a message that arrives between steps in the next request, and records it once', async () => {
    const late = fromOperator('do y instead');
    let left = 1;
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('y then')], {
      tools: [countingTool('write_file')],
      arrivals: {
        take: async () => {
          left -= 1;
          if (left < 0) return null;
          r.transcripts.append(thread, [late]);
          return { message: late, tainted: false };
        },
      },
    });
    r.say('write x');
    await r.run();
    expect(r.asked[1]?.context.messages.at(-1)).toEqual(late);
    expect(r.transcripts.load(thread).filter(({ message }) => message.role === 'user')).toHaveLength(2);
  });

  it('F4 defers the turn if an arriving message cannot be recorded', async () => {
    const full = new StoreError('disk_full', 'full');
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('never asked')], {
      tools: [countingTool('write_file')],
      arrivals: { take: () => Promise.reject(full) },
    });
    r.say('write x');
    await expect(r.run()).rejects.toBe(full);
    expect(r.asked).toHaveLength(1);
    expect(r.transcripts.load(thread).at(-1)?.message.role).toBe('toolResult');
  });

  it('takes no message while the answer is written: it is for the next turn', async () => {
    let taken = 0;
    const r = runtimeRig([says('answer')], {
      arrivals: {
        take: async () => {
          taken += 1;
          return null;
        },
      },
    });
    r.say('hi');
    await r.run();
    expect(taken).toBe(0);
  });

  it('ends approvals and calls on stop: each call has a result, and no request follows', async () => {
    let asked: AbortSignal | null = null;
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }]), says('never')], {
      tools: [countingTool('write_file')],
      decide: (_call, signal) => {
        asked = signal;
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ ...deny, by: 'cancelled' }), { once: true }),
        );
      },
    });
    r.say('write x');
    const running = r.run();
    await settle(50);
    r.abort('stopped');
    expect((await running).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'cancelled' } });
    expect((asked as AbortSignal | null)?.aborted).toBe(true);
    expect(r.asked).toHaveLength(1);
    expect(r.transcripts.load(thread).at(-1)?.message).toMatchObject({ role: 'toolResult', isError: true });
  });

  it('F25 leaves the approval waiting and records nothing more if the host stops', async () => {
    let asked: AbortSignal | null = null;
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }])], {
      tools: [countingTool('write_file')],
      decide: (_call, signal) => {
        asked = signal;
        return new Promise(() => undefined);
      },
    });
    r.say('write x');
    void r.run();
    await settle(50);
    const before = r.transcripts.load(thread);
    r.abort('interrupted');
    await settle(20);
    expect((asked as AbortSignal | null)?.aborted).toBe(false);
    expect(r.transcripts.load(thread)).toEqual(before);
  });

  it('F4 does not run a call that cannot be recorded, and defers the turn', async () => {
    const tool = countingTool('write_file');
    const r = runtimeRig([calls(['c1', 'write_file', { path: 'x' }])], { tools: [tool] });
    r.say('write x');
    const { transcripts } = r;
    transcripts.callStarted = () => {
      throw new StoreError('disk_full', 'full');
    };
    await expect(r.run()).rejects.toThrow('full');
    expect(tool.done).toEqual([]);
  });

  it('returns no parts for a blank reply', async () => {
    const r = runtimeRig([says(' \n')]);
    r.transcripts.append(thread, [{ role: 'user', content: [textBlock('hi')], timestamp: 1 }]);
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: [] });
  });
});
