import { describe, expect, it } from 'vitest';
import { countingTool, fromOperator, runtimeRig, thread } from '../../../test/fakes/runtime-rig.ts';
import { calls, fails, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { appError } from '../../contract/errors.ts';
import { err } from '../../contract/result.ts';
import type { GateDecision } from '../approvals/approval-gate.ts';
import { StoreError } from '../lib/store-error.ts';
import { type AssistantMessage, messageText, noUsage, textBlock } from '../models/messages.ts';
import type { ModelPort } from '../models/model-ports.ts';
import type { RuntimeEvent } from '../supervisor/runtime-port.ts';

const allow: GateDecision = { type: 'allow', by: 'operator', receiptId: 'r' };
const deny: GateDecision = { type: 'deny', by: 'operator', reason: 'The operator denied it: not today' };
const states = (events: readonly RuntimeEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'step' ? [`${event.step.state} ${event.step.title}`] : []));
const overloaded = (retryAfterMs?: number) =>
  fails('overloaded', {
    error: appError('unavailable', 'overloaded'),
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

describe('a turn of the loop', () => {
  it('passes the answer on, keeps it for the reply, and records what it cost once', async () => {
    const r = runtimeRig([{ ...says('hello you'), totalTokens: 10 }]);
    r.say('hi');
    const events = await r.run();
    expect(events.map(({ type }) => type)).toEqual(['text_delta', 'model_called', 'turn_done']);
    expect(events[1]).toMatchObject({ call: { kind: 'model', stop: 'stop', error: '' } });
    expect(events.at(-1)).toMatchObject({ parts: ['hello you'], messageSent: false });
    const end = events.at(-1);
    expect(end?.type === 'turn_done' && end.transcript.map(messageText)).toEqual(['hello you']);
    // The final answer is stored together with the reply, not before.
    expect(r.transcripts.load(thread)).toHaveLength(1);
    expect(r.spent).toMatchObject([{ agentId: 'a', turnId: 'turn_1', threadKey: thread, simulated: true }]);
    expect(r.asked[0]?.context.system).toBe('S');
  });

  it('runs a tool through the gate and tells each step in words', async () => {
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

  it('a denied call never runs; the model hears why', async () => {
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
    expect(told && messageText(told)).toContain('not today');
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['all right'] });
  });

  it('T9, T14 what would touch something else than was allowed goes to the gate again', async () => {
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

  it('T9 what a tool says when it refuses a call tells of what it looked at, so the answer is asked about', async () => {
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

  it('time in which a person is asked is not the time of the turn', async () => {
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

  it('a turn that takes too long is ended and says so', async () => {
    const r = runtimeRig([{ ...says('never ends'), hangAfter: 0 }], { turnMs: 30_000 });
    r.say('hi');
    const running = r.run();
    await settle(20);
    await r.clock.advance(31_000);
    const end = (await running).at(-1);
    expect(end).toMatchObject({ type: 'turn_failed', error: { code: 'timeout' } });
  });
});

describe('models that fail', () => {
  it('F11 is asked again after the told wait, never before, and the half answer is void', async () => {
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

  it('F11 waits at the gate for longer than the loop would', async () => {
    const r = runtimeRig([overloaded(300_000), says('late')], { turnMs: 3_600_000 });
    r.say('hi');
    const running = r.run();
    await settle(20);
    await r.clock.advance(299_000);
    expect(r.asked).toHaveLength(1);
    await r.clock.advance(60_000);
    expect((await running).at(-1)).toMatchObject({ parts: ['late'] });
  });

  it('F11 gives up in the end, visibly', async () => {
    const r = runtimeRig([overloaded(), overloaded(), overloaded(), overloaded()], { turnMs: 3_600_000 });
    r.say('hi');
    const running = r.run();
    await settle(20);
    await r.clock.advance(600_000);
    expect((await running).at(-1)).toMatchObject({ type: 'turn_failed', error: { code: 'unavailable' } });
    expect(r.asked).toHaveLength(4);
  });

  it('what cannot get better is not asked again; a budget that is used up asks nobody', async () => {
    const refused = runtimeRig([fails('no', { error: appError('not_found', 'no such model') })]);
    refused.say('hi');
    expect((await refused.run()).at(-1)).toMatchObject({ error: { message: 'no such model' } });
    const spent = runtimeRig([says('x')], {
      deps: {
        spend: {
          admit: () => err(appError('rate_limited', 'used up')),
          question: () => null,
          isPriced: () => true,
          record: () => undefined,
        },
      },
    });
    spent.say('hi');
    expect((await spent.run()).at(-1)).toMatchObject({ error: { message: 'used up' } });
    expect(spent.asked).toHaveLength(0);
    const nobody = runtimeRig([], { deps: { choose: () => err(appError('unauthenticated', 'no key')) } });
    nobody.say('hi');
    expect(await nobody.run()).toMatchObject([{ error: { code: 'unauthenticated' } }]);
  });

  it('F13 a stream that breaks off fails the turn and keeps its text', async () => {
    const cut = { ...says('half a sentence'), emit: 'noEnd' as const };
    const r = runtimeRig([cut, cut, cut, cut], { turnMs: 3_600_000 });
    r.say('hi');
    const running = r.run();
    await settle(50);
    await r.clock.advance(600_000);
    expect((await running).at(-1)).toMatchObject({ type: 'turn_failed', partialText: 'half a sentence' });
  });
});

describe('steering, stop, storage', () => {
  it('F12 bears a model that thinks in silence for minutes, and ends one that never goes on', async () => {
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

  it('counts what was stopped before its server told what it used, by estimate; nothing for what never began', async () => {
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

  it('counts an answer that failed or whose server heeds no stop, and each answer however its id repeats', async () => {
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

  it('what arrives between two steps is heard before the next request, and recorded once', async () => {
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

  it('F4 what arrives and cannot be recorded fails no turn: it goes on another time', async () => {
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

  it('nothing is taken while an answer is being written: that is for the next turn', async () => {
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

  it('a stop ends questions and calls: each has a result, and no request follows', async () => {
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

  it('F25 the host leaves a turn as it is: the question goes on waiting, nothing more is recorded', async () => {
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

  it('F4 what cannot be recorded is not done, and the turn goes on another time', async () => {
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

  it('a reply to nothing but blanks has no parts', async () => {
    const r = runtimeRig([says(' \n')]);
    r.transcripts.append(thread, [{ role: 'user', content: [textBlock('hi')], timestamp: 1 }]);
    expect((await r.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: [] });
  });
});
