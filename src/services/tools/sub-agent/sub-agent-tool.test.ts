import { describe, expect, it } from 'vitest';
import { countingTool, type RigOptions, runtimeRig } from '../../../../test/fakes/runtime-rig.ts';
import { calls, type ScriptedReply, says } from '../../../../test/fakes/scripted-stream.ts';
import { toolContext } from '../../../../test/fakes/tool-context.ts';
import { textBlock, transcriptText } from '../../../core/models/messages.ts';
import type { RuntimeEvent } from '../../../core/supervisor/runtime-port.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { createSubAgentTool } from './sub-agent-tool.ts';

const noNames = { allow: [], alsoAllow: [], deny: [], subagents: [], allowedTools: [] };

const rig = (replies: readonly ScriptedReply[], tools: readonly Tool[], names = {}, more: RigOptions = {}) =>
  runtimeRig(replies, { ...more, tools: [createSubAgentTool(() => ({ ...noNames, ...names })), ...tools] });

const starts = (...all: readonly (readonly [id: string, args: object])[]): ScriptedReply =>
  calls(...all.map(([id, args]) => [id, 'sub_agent', args] as const));

const results = (r: ReturnType<typeof rig>) =>
  r.transcripts
    .load('ch|ch_1|msg_1')
    .flatMap(({ message }) => (message.role === 'toolResult' ? [transcriptText(message)] : []));

const steps = (events: readonly RuntimeEvent[]) => {
  const last = new Map(
    events.flatMap((event) => (event.type === 'step' ? [[event.step.callId, event.step]] : [])),
  );
  return [...last.values()].map(({ callId, parentId = null, state }) => [callId, parentId, state]);
};

describe('sub_agent', () => {
  it('works in a context of its own, with calls that the gate decides, and returns its last text', async () => {
    const read = countingTool('read_file');
    const r = rig(
      [
        starts(['c1', { name: 'reader', task: 'Read a.md' }]),
        calls(['x1', 'read_file', { path: 'a.md' }]),
        says('It says hello.'),
        says('done'),
      ],
      [read],
    );
    r.say('what does it say?');
    const events = await r.run();
    expect(results(r)).toEqual(['The sub-agent has ended. (2 requests, 0 tokens, 1 calls)\nIt says hello.']);
    expect(r.checked.map(({ callId, tool }) => [callId, tool])).toEqual([
      ['c1', 'sub_agent'],
      ['c1.1', 'read_file'],
    ]);
    // The tree of the turn.
    expect(steps(events)).toEqual([
      ['c1', null, 'done'],
      ['c1.1', 'c1', 'done'],
    ]);
    const own = r.asked[1]?.context;
    expect(own?.messages).toMatchObject([{ role: 'user', content: [{ text: 'Read a.md' }] }]);
    expect(JSON.stringify(own)).not.toContain('what does it say?');
    expect(own?.tools.map(({ name }) => name)).toEqual(['read_file']);
    // The turn does not send the text of the sub-agent.
    expect(events.at(-1)).toMatchObject({ type: 'turn_done', parts: ['done'] });
    expect(r.spent.every(({ turnId, agentId }) => turnId === 'turn_1' && agentId === 'a')).toBe(true);
  });

  it('has the tools that both the agent’s file and the call allow, and starts none of its own', async () => {
    const tools = ['read_file', 'write_file', 'list_dir'].map((name) => countingTool(name));
    const names = { subagents: ['read_file', 'write_file'] };
    const r = rig(
      [starts(['c1', { task: 't', tools: ['read_file', 'list_dir', 'sub_agent'] }]), says('x'), says('done')],
      tools,
      names,
    );
    r.say('go');
    await r.run();
    expect(r.asked[1]?.context.tools.map(({ name }) => name)).toEqual(['read_file']);
  });

  it('runs beside others of the same answer', async () => {
    const open: (() => void)[] = [];
    const read = countingTool('read_file', {
      execute: () =>
        new Promise((resolve) => {
          open.push(() => resolve({ content: [textBlock('x')] }));
          // Only when both sub-agents call does one of the calls end.
          if (open.length === 2) for (const end of open) end();
        }),
    });
    const call = calls(['x', 'read_file', { path: 'a' }]);
    const r = rig(
      [starts(['c1', { task: '1' }], ['c2', { task: '2' }]), call, call, says('r'), says('r'), says('done')],
      [read],
    );
    r.say('go');
    expect((await r.run()).at(-1)).toMatchObject({ parts: ['done'] });
    expect(results(r)).toHaveLength(2);
  });

  it('T9 taints the turn with what it reads, before its next call is decided', async () => {
    const asked: [string, boolean][] = [];
    const r = rig(
      [
        starts(['c1', { task: 't' }]),
        calls(['x1', 'read_file', { path: 'mail' }]),
        calls(['x2', 'write_file', { path: '/etc/passwd' }]),
        says('I could not.'),
        says('done'),
      ],
      [countingTool('read_file', { foreign: true }), countingTool('write_file')],
      {},
      {
        decide: async ({ tool, tainted }) => {
          asked.push([tool, tainted]);
          return tainted && tool === 'write_file'
            ? { type: 'deny', by: 'operator', reason: 'The operator denied it' }
            : { type: 'allow', by: 'policy', receiptId: null };
        },
      },
    );
    r.say('go');
    const events = await r.run();
    expect(asked).toEqual([
      ['sub_agent', false],
      ['read_file', false],
      ['write_file', true],
    ]);
    expect(steps(events)).toContainEqual(['c1.2', 'c1', 'denied']);
    // The sub-agent learns of the refusal.
    expect(JSON.stringify(r.asked[3]?.context.messages)).toContain('The operator denied it');
  });

  it('ends at its own limit, which a further request would exceed', async () => {
    const call = { ...calls(['x', 'read_file', { path: 'a' }]), totalTokens: 800 };
    const r = rig(
      [starts(['c1', { task: 't', max_tokens: 1_000 }]), call, call, says('done')],
      [countingTool('read_file')],
    );
    r.say('go');
    await r.run();
    expect(results(r)[0]).toContain('has reached its limit');
    expect(results(r)[0]).toContain('(2 requests, 1600 tokens, 2 calls)');
  });

  it('is stopped with its turn', async () => {
    const reached: { stop?: () => void } = {};
    const read = countingTool('read_file', {
      execute: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ content: [textBlock('aborted')] }));
          reached.stop?.();
        }),
    });
    const r = rig(
      [starts(['c1', { task: 't' }]), calls(['x', 'read_file', { path: 'a' }]), says('never')],
      [read],
    );
    reached.stop = () => r.abort('stopped');
    r.say('go');
    expect((await r.run()).at(-1)?.type).toBe('turn_failed');
    expect(r.asked).toHaveLength(2);
  });

  it('says so where no sub-agent can be started', async () => {
    const output = await createSubAgentTool(() => noNames).execute({ task: 't' }, toolContext());
    expect(output.isError).toBe(true);
  });
});
