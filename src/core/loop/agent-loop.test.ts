import { describe, expect, it } from 'vitest';
import { createAgentRig, createRecordingJournal, echoTool } from '../../../test/fakes/agent-rig.ts';
import { calls, fails, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import type { AgentEvent } from './events.ts';

const two = calls(['c1', 'echo', { text: 'a' }], ['c2', 'echo', { text: 'b' }]);

/** Checks that every start has its end, turns do not nest, and the run is framed. */
function expectWellFormed(events: readonly AgentEvent[]): void {
  let open = 0;
  let turn = 0;
  const running = new Set<string>();
  for (const event of events) {
    if (event.type === 'message_start') open += 1;
    if (event.type === 'message_end') open -= 1;
    if (event.type === 'turn_start') turn += 1;
    if (event.type === 'turn_end') turn -= 1;
    if (event.type === 'tool_execution_start') running.add(event.toolCallId);
    if (event.type === 'tool_execution_end') running.delete(event.toolCallId);
    expect([open, turn].every((depth) => depth === 0 || depth === 1)).toBe(true);
  }
  expect([open, turn, running.size]).toEqual([0, 0, 0]);
  expect(events[0]?.type).toBe('agent_start');
  expect(events.at(-1)?.type).toBe('agent_end');
}

describe('Journal', () => {
  it('records each call before its effect and each result when the call ends, once', async () => {
    const journal = createRecordingJournal();
    const release: (() => void)[] = [];
    const tool = echoTool({
      replay: 'safe',
      execute: (id) =>
        new Promise((resolve) => {
          journal.entries.push(`effect ${id}`);
          release.push(() => resolve({ content: [{ type: 'text', text: id }] }));
        }),
    });
    const rig = createAgentRig([two, says('done')], { journal, tools: [tool] });
    const run = rig.agent.prompt('go');
    await settle(20);
    release[1]?.();
    await settle();
    expect(journal.entries.at(-1)).toBe('ended c2 toolResult:c2');
    release[0]?.();
    await run;
    expect(journal.entries).toEqual([
      'added user:go',
      'added assistant:c1() c2()',
      'started c1 echo safe',
      'effect c1',
      'started c2 echo safe',
      'effect c2',
      'ended c2 toolResult:c2',
      'ended c1 toolResult:c1',
      'added assistant:done',
    ]);
    expect(rig.texts().slice(2, 4)).toEqual(['toolResult:c1', 'toolResult:c2']);
  });

  it.each(['added user', 'added assistant', 'started c1', 'ended c1', 'added assistant:done'])(
    'ends the run with well-formed events if it fails at "%s" (F4)',
    async (failOn) => {
      const ran: string[] = [];
      const tool = echoTool({
        execute: (id) => {
          ran.push(id);
          return { content: [] };
        },
      });
      const rig = createAgentRig([two, says('done')], {
        journal: createRecordingJournal(failOn),
        tools: [tool],
      });
      await rig.agent.prompt('go');
      expectWellFormed(rig.events);
      expect(rig.agent.state.errorMessage).toBe('the disk is full');
      if (failOn === 'started c1') expect(ran).toEqual(['c2']);
      if (failOn === 'added assistant') expect(ran).toEqual([]);
    },
  );
});

describe('After an abort', () => {
  it('no request or call starts, and every call of the batch has a result (spec §1.2)', async () => {
    for (const toolExecution of ['parallel', 'sequential'] as const) {
      const ran: string[] = [];
      const tool = echoTool({
        execute: async (id) => {
          ran.push(id);
          rig.agent.abort();
          return { content: [{ type: 'text', text: 'half' }] };
        },
      });
      const three = calls(['c1', 'echo', { text: 'a' }], ['c2', 'echo', { text: 'b' }], ['c3', 'nope', {}]);
      const rig = createAgentRig([three, says('never')], { tools: [tool], toolExecution });
      await rig.agent.prompt('go');
      expectWellFormed(rig.events);
      expect(rig.model.requests).toHaveLength(1);
      expect(ran).toEqual(['c1']);
      const results = rig.agent.state.messages.filter((one) => one.role === 'toolResult');
      expect(results.map((one) => one.toolCallId)).toEqual(['c1', 'c2', 'c3']);
    }
  });

  it('messages queued meanwhile stay queued', async () => {
    const tool = echoTool({
      execute: () => {
        rig.agent.steer('look here');
        rig.agent.abort();
        return { content: [] };
      },
    });
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('never')], { tools: [tool] });
    await rig.agent.prompt('go');
    expect(rig.agent.hasQueuedMessages).toBe(true);
    expect(rig.model.requests).toHaveLength(1);
  });

  it('a tool that ignores the signal is ended at the deadline and reported', async () => {
    const tool = echoTool({ execute: () => new Promise(() => undefined) });
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }])], { tools: [tool], toolAbortMs: 5_000 });
    const run = rig.agent.prompt('go');
    await settle(20);
    rig.agent.abort();
    await rig.clock.advance(4_999);
    expect(rig.agent.state.isStreaming).toBe(true);
    await rig.clock.advance(1);
    await run;
    expect(rig.texts().at(-1)).toContain('did not stop within 5 s');
    expectWellFormed(rig.events);
  });

  it('a stream that ignores the signal is dropped, and its partial text is kept', async () => {
    const rig = createAgentRig([], {
      stream: async function* (_context, { model }) {
        const partial = {
          role: 'assistant' as const,
          content: [{ type: 'text' as const, text: 'so far' }],
          api: model.api,
          provider: model.provider,
          model: model.id,
          usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: null },
          stopReason: 'stop' as const,
          timestamp: 0,
        };
        yield { type: 'start', partial };
        await new Promise(() => undefined);
      },
    });
    const run = rig.agent.prompt('go');
    await settle();
    rig.agent.abort();
    await rig.clock.advance(2_000);
    await run;
    expect(rig.agent.state.messages.at(-1)).toMatchObject({
      stopReason: 'aborted',
      content: [{ text: 'so far' }],
    });
  });
});

describe('Tools', () => {
  it('end at their own timeout, and the run continues', async () => {
    let signal: AbortSignal | undefined;
    const tool = echoTool({
      timeoutMs: 1_000,
      execute: (_id, _args, given) => {
        signal = given;
        return new Promise(() => undefined);
      },
    });
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('on')], { tools: [tool] });
    const run = rig.agent.prompt('go');
    await settle(20);
    await rig.clock.advance(1_000);
    await run;
    expect(signal?.aborted).toBe(true);
    expect(rig.texts().slice(2)).toEqual([expect.stringContaining('took longer than 1 s'), 'assistant:on']);
    const end = rig.events.find((event) => event.type === 'tool_execution_end');
    expect(end).toMatchObject({ isError: true, durationMs: 1_000 });
  });

  it('send no updates after they have ended', async () => {
    let late: ((partial: { content: [] }) => void) | undefined;
    const tool = echoTool({
      execute: (_id, _args, _signal, onUpdate) => {
        onUpdate({ content: [] });
        late = onUpdate;
        return { content: [] };
      },
    });
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('on')], { tools: [tool] });
    await rig.agent.prompt('go');
    late?.({ content: [] });
    expect(rig.told().filter((each) => each.startsWith('tool_execution_update'))).toHaveLength(1);
  });

  it('run sequentially if one of the called tools requires it', async () => {
    const rig = createAgentRig([two, says('done')], { tools: [echoTool({ executionMode: 'sequential' })] });
    await rig.agent.prompt('go');
    const order = rig.told().filter((each) => each.startsWith('tool_execution'));
    expect(order.map((each) => each.slice(15))).toEqual(['start c1', 'end c1', 'start c2', 'end c2']);
  });

  it('do not run if the reply was truncated at its length limit', async () => {
    const rig = createAgentRig([{ ...two, stopReason: 'length' }, says('shorter')]);
    await rig.agent.prompt('go');
    expect(rig.texts()[2]).toMatch(/^toolResult!:.*length limit/);
    expect(rig.texts().at(-1)).toBe('assistant:shorter');
  });

  it('get frozen arguments that neither hook nor tool can change (T26)', async () => {
    const args = { text: 'a', more: { deep: ['x'] } };
    const problems: unknown[] = [];
    const rig = createAgentRig([calls(['c1', 'echo', args]), says('done')], {
      beforeToolCall: ({ args: given }) => {
        try {
          (given as { text: string }).text = 'b';
        } catch (error) {
          problems.push(error);
        }
        return undefined;
      },
    });
    await rig.agent.prompt('go');
    expect(problems).toHaveLength(1);
    expect(rig.texts()[2]).toBe('toolResult:echo a');
    expect(Object.isFrozen(args)).toBe(false);
  });

  it('run with the coerced arguments that the hook saw', async () => {
    const tool = echoTool({
      parameters: { type: 'object', properties: { text: { type: 'integer' } }, required: ['text'] },
    });
    const seen: unknown[] = [];
    const rig = createAgentRig([calls(['c1', 'echo', { text: '42' }]), says('done')], {
      tools: [tool],
      beforeToolCall: ({ args }) => {
        seen.push(args);
        return undefined;
      },
    });
    await rig.agent.prompt('go');
    expect(seen).toEqual([{ text: 42 }]);
    expect(rig.events.find((event) => event.type === 'tool_execution_start')).toMatchObject({
      args: { text: '42' },
    });
  });

  it('fail without running if the streamed arguments were malformed (F13)', async () => {
    const reply = calls(['c1', 'echo', { text: 'a' }]);
    const rig = createAgentRig([reply, says('again')], {
      stream: (context, options, signal) => {
        const events = rig.model.stream(context, options, signal);
        return (async function* () {
          for await (const event of events) {
            if (event.type !== 'done') yield event;
            else {
              const content = event.message.content.map((block) =>
                block.type === 'toolCall' ? { ...block, argumentsError: 'not valid JSON' } : block,
              );
              yield { ...event, message: { ...event.message, content } };
            }
          }
        })();
      },
    });
    await rig.agent.prompt('go');
    expect(rig.texts()[2]).toBe('toolResult!:The call of echo could not be read: not valid JSON');
  });

  it('end the run if all calls were blocked with terminate', async () => {
    const rig = createAgentRig([two, says('never')], {
      beforeToolCall: () => ({ block: true, reason: 'stop here', terminate: true }),
    });
    await rig.agent.prompt('go');
    expect(rig.model.requests).toHaveLength(1);
    expect(rig.texts().slice(2)).toEqual(['toolResult!:stop here', 'toolResult!:stop here']);
  });
});

describe('Failing hook', () => {
  it.each([
    ['transformContext', { transformContext: () => Promise.reject(new Error('hook broke')) }],
    ['getApiKey', { getApiKey: () => Promise.reject(new Error('hook broke')) }],
    ['prepareRequest', { prepareRequest: () => Promise.reject(new Error('hook broke')) }],
    ['finishTurn', { finishTurn: () => Promise.reject(new Error('hook broke')) }],
    ['isComplete', { isComplete: () => Promise.reject(new Error('hook broke')) }],
  ])('ends the run as failed, with well-formed events: %s', async (_name, options) => {
    const rig = createAgentRig([says('one')], options);
    await rig.agent.prompt('go');
    expectWellFormed(rig.events);
    expect(rig.agent.state.errorMessage).toBe('hook broke');
  });

  it('ends the run as failed between two turns: prepareNextTurn', async () => {
    const rig = createAgentRig([two, says('one')], {
      prepareNextTurn: () => Promise.reject(new Error('hook broke')),
    });
    await rig.agent.prompt('go');
    expectWellFormed(rig.events);
    expect(rig.agent.state.errorMessage).toBe('hook broke');
  });
});

describe('Cost of a turn', () => {
  it('stays independent of the transcript: each message is converted once', async () => {
    let looked = 0;
    const replies = Array.from({ length: 50 }, (_, n) => calls([`c${n}`, 'echo', { text: 'x' }]));
    const rig = createAgentRig([...replies, says('done')], {
      convertToLlm: (messages) => {
        looked += messages.length;
        return messages.filter((one) => one.role !== 'note') as never;
      },
    });
    await rig.agent.prompt('go');
    expect(rig.model.requests.at(-1)?.context.messages).toHaveLength(101);
    expect(looked).toBe(101);
  });
});

describe('Reply that does not complete', () => {
  it('is an error with its partial text if the stream just stops (F13)', async () => {
    const rig = createAgentRig([{ ...says('half'), emit: 'noEnd' }], {
      retry: { tries: 0, firstMs: 0, maxMs: 0 },
    });
    await rig.agent.prompt('go');
    expect(rig.agent.state.messages.at(-1)).toMatchObject({
      stopReason: 'error',
      content: [{ text: 'half' }],
    });
    expect(rig.agent.state.errorMessage).toContain('broke off');
  });

  it('is an error if the stream stays silent, and the request is aborted (F12)', async () => {
    let given: AbortSignal | undefined;
    const hanging = { ...says('half'), hangAfter: 0 };
    const rig = createAgentRig([hanging], {
      idleMs: 30_000,
      retry: { tries: 0, firstMs: 0, maxMs: 0 },
      stream: (context, options, signal) => {
        given = signal;
        return rig.model.stream(context, options, signal);
      },
    });
    const run = rig.agent.prompt('go');
    await settle(10);
    await rig.clock.advance(29_999);
    expect(rig.agent.state.isStreaming).toBe(true);
    await rig.clock.advance(2);
    await run;
    expect(rig.agent.state.errorMessage).toBe('The model has sent nothing for 30 s.');
    expect(given?.aborted).toBe(true);
  });

  it('is not assumed while a listener is slow', async () => {
    const rig = createAgentRig([says('whole')], { idleMs: 1_000 });
    rig.agent.subscribe(async (event) => {
      if (event.type === 'message_update' && event.assistantMessageEvent.type === 'text_start') {
        await new Promise<void>((resolve) => rig.clock.after(5_000, resolve));
      }
    });
    const run = rig.agent.prompt('go');
    await rig.clock.runAll(10_000);
    await run;
    expect(rig.texts().at(-1)).toBe('assistant:whole');
  });

  it('leaves no pending timer', async () => {
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('whole')]);
    await rig.agent.prompt('go');
    await settle();
    expect(rig.clock.pending()).toBe(0);
  });

  it('ends the run on a permanent failure and keeps the queue', async () => {
    const rig = createAgentRig([fails('no such model')]);
    rig.agent.followUp('later');
    await rig.agent.prompt('go');
    expectWellFormed(rig.events);
    expect(rig.agent.hasQueuedMessages).toBe(true);
  });
});
