import { describe, expect, it } from 'vitest';
import { createAgentRig, createRecordingJournal, echoTool } from '../../../test/fakes/agent-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { textBlock } from '../models/messages.ts';

describe('Agent', () => {
  it('refuses a second prompt and a reset during a run, which continues', async () => {
    const rig = createAgentRig([says('one'), says('two')]);
    const first = rig.agent.prompt('go');
    await expect(rig.agent.prompt('again')).rejects.toThrow('running');
    await expect(rig.agent.continue()).rejects.toThrow('running');
    expect(() => rig.agent.reset()).toThrow('running');
    await first;
    expect(rig.texts()).toEqual(['user:go', 'assistant:one']);
    rig.agent.reset();
    expect(rig.agent.state.messages).toEqual([]);
  });

  it('refuses to continue an empty transcript or a finished reply', async () => {
    const rig = createAgentRig([says('one')]);
    await expect(rig.agent.continue()).rejects.toThrow('empty');
    await rig.agent.prompt('go');
    await expect(rig.agent.continue()).rejects.toThrow('nothing is queued');
  });

  it('notifies the other listeners if one throws, and always ends (spec §1.4)', async () => {
    const problems: string[] = [];
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('done')], {
      onListenerError: (error, event) => {
        problems.push(`${event.type}: ${(error as Error).message}`);
        throw new Error('the reporter too');
      },
    });
    rig.agent.subscribe(() => {
      throw new Error('sync');
    });
    rig.agent.subscribe(async () => {
      throw new Error('async');
    });
    const seen: string[] = [];
    rig.agent.subscribe((event) => {
      seen.push(event.type);
    });
    await rig.agent.prompt('go');
    expect(seen.at(-1)).toBe('agent_end');
    expect(seen).toHaveLength(rig.events.length);
    expect(problems.filter((each) => each.startsWith('agent_end'))).toEqual([
      'agent_end: sync',
      'agent_end: async',
    ]);
    expect(rig.agent.state.errorMessage).toBeNull();
  });

  it('waits for listeners, in order of subscription, before tools start', async () => {
    const order: string[] = [];
    const tool = echoTool({
      execute: () => {
        order.push('tool');
        return { content: [] };
      },
    });
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('done')], { tools: [tool] });
    rig.agent.subscribe(async (event) => {
      if (event.type !== 'message_end' || event.message.role !== 'assistant') return;
      await settle(3);
      order.push('slow');
    });
    rig.agent.subscribe((event) => {
      if (event.type === 'message_end' && event.message.role === 'assistant') order.push('second');
    });
    await rig.agent.prompt('go');
    expect(order.slice(0, 3)).toEqual(['slow', 'second', 'tool']);
  });

  it('is idle after the listeners of agent_end have finished', async () => {
    const rig = createAgentRig([says('one')]);
    let through = false;
    rig.agent.subscribe(async (event) => {
      if (event.type !== 'agent_end') return;
      await settle(4);
      through = true;
    });
    const run = rig.agent.prompt('go');
    await rig.agent.waitForIdle();
    expect(through).toBe(true);
    expect(rig.agent.state.isStreaming).toBe(false);
    await run;
    await rig.agent.waitForIdle();
  });

  it('updates its state before it notifies listeners', async () => {
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('done')]);
    const seen: unknown[] = [];
    rig.agent.subscribe((event) => {
      const { state } = rig.agent;
      if (event.type === 'message_update') seen.push(state.streamingMessage === event.message);
      if (event.type === 'tool_execution_start') seen.push(state.pendingToolCalls.has('c1'));
      if (event.type === 'tool_execution_end') seen.push(state.pendingToolCalls.size === 0);
      if (event.type === 'message_end') seen.push(state.messages.includes(event.message));
    });
    await rig.agent.prompt('go');
    expect(new Set(seen)).toEqual(new Set([true]));
  });

  it('can be aborted from the first event on, and then sends no request', async () => {
    const rig = createAgentRig([says('never')]);
    const stop = rig.agent.subscribe((event) => {
      if (event.type === 'agent_start') rig.agent.abort();
    });
    await rig.agent.prompt('go');
    expect(rig.model.requests).toHaveLength(0);
    expect(rig.told().slice(-3)).toEqual(['message_end assistant', 'turn_end', 'agent_end']);
    expect(rig.agent.state.errorMessage).toContain('abort');
    stop();
    rig.agent.abort();
    await rig.agent.prompt('again');
    expect(rig.texts().at(-1)).toBe('assistant:never');
  });

  it('keeps queued messages after an abort for the next run', async () => {
    const rig = createAgentRig([{ ...says('long'), hangAfter: 0 }, says('heard')]);
    rig.agent.subscribe((event) => {
      if (event.type !== 'message_start' || event.message.role !== 'assistant') return;
      if (rig.agent.hasQueuedMessages) return;
      rig.agent.steer('look here');
      rig.agent.abort();
    });
    await rig.agent.prompt('go');
    expect(rig.agent.hasQueuedMessages).toBe(true);
    await rig.agent.prompt('again');
    expect(
      rig.model.requests
        .at(-1)
        ?.context.messages.map((one) => one.role)
        .slice(-2),
    ).toEqual(['user', 'user']);
  });

  it('on continue, runs calls without a result and keeps existing results', async () => {
    const journal = createRecordingJournal();
    const before = createAgentRig([
      calls(['c1', 'echo', { text: 'a' }], ['c2', 'echo', { text: 'b' }]),
      says('x'),
    ]);
    await before.agent.prompt('go');
    const [user, assistant, result] = before.agent.state.messages;
    const messages = [user, assistant, result].filter((one) => one !== undefined);
    const rig = createAgentRig([says('done')], { messages, journal });
    await rig.agent.continue();
    expect(journal.entries).toEqual([
      'started c2 echo never',
      'ended c2 toolResult:echo b',
      'added assistant:done',
    ]);
    expect(rig.told().slice(0, 3)).toEqual(['agent_start', 'turn_start', 'tool_execution_start c2']);
    expect(rig.texts()).toEqual([
      'user:go',
      'assistant:c1() c2()',
      'toolResult:echo a',
      'toolResult:echo b',
      'assistant:done',
    ]);
  });

  it('applies changed settings from the next request on', async () => {
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('done')]);
    rig.agent.subscribe((event) => {
      if (event.type === 'turn_end')
        rig.agent.configure({ thinkingLevel: 'high', tools: [], system: 'Other.' });
    });
    await rig.agent.prompt('go', [{ type: 'image', data: 'AA==', mimeType: 'image/png' }]);
    const [first, second] = rig.model.requests;
    expect(first?.context.tools).toHaveLength(1);
    expect(first?.context.messages[0]?.content).toHaveLength(2);
    expect(second?.context).toMatchObject({ system: 'Other.', tools: [] });
    expect(second?.options.thinkingLevel).toBe('high');
  });

  it('ends when isComplete returns true, and continues when finishTurn says so', async () => {
    const done = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('never')], {
      isComplete: ({ toolResults }) => toolResults.length > 0,
    });
    await done.agent.prompt('go');
    expect(done.model.requests).toHaveLength(1);
    let turns = 0;
    const on = createAgentRig([says('one'), says('two')], {
      finishTurn: () => {
        turns += 1;
        return turns === 1 ? 'continue' : undefined;
      },
    });
    await on.agent.prompt('go');
    expect(on.texts()).toEqual(['user:go', 'assistant:one', 'assistant:two']);
  });

  it('passes the last batch to its hooks, which can change the next turn and request', async () => {
    const rig = createAgentRig([calls(['c1', 'echo', { text: 'a' }]), says('done')], {
      prepareNextTurn: ({ toolResults }) => ({ system: `after ${toolResults.length}` }),
      prepareRequest: (request) => ({ system: `${request.system}!` }),
      afterToolCall: ({ result }) => ({ content: [...result.content, textBlock(' (seen)')] }),
    });
    await rig.agent.prompt('go');
    expect(rig.model.requests.map((one) => one.context.system)).toEqual(['You are a test.!', 'after 1!']);
    expect(rig.texts()[2]).toBe('toolResult:echo a (seen)');
  });
});
