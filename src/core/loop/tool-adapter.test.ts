import { describe, expect, it } from 'vitest';
import { createAgentRig } from '../../../test/fakes/agent-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../approvals/approval-gate.ts';
import type { Assessment, Effect } from '../policy/assessment.ts';
import type { Tool, ToolCallContext } from '../tools/tool.ts';
import { gateHook, loopTool } from './tool-adapter.ts';

const facts = () => ({ agentId: 'guide', turnId: 't1', threadKey: 'ch:1' });
const assessment = (path: string, more: Partial<Assessment> = {}): Assessment => ({
  risk: 'medium',
  effects: [{ kind: 'write', path } satisfies Effect],
  preview: { kind: 'text', title: 'write', body: '', where: '/' },
  ...more,
});

interface Parts {
  readonly assess?: () => Assessment;
  readonly decision?: GateDecision;
  readonly more?: Partial<GateCall>;
  readonly decide?: (call: GateCall) => GateDecision;
}

async function run({ assess = () => assessment('/a'), decision, decide, more = {} }: Parts) {
  const asked: GateCall[] = [];
  const contexts: ToolCallContext[] = [];
  const gate: ApprovalGate = {
    check: async (call) => {
      asked.push(call);
      return decide?.(call) ?? decision ?? { type: 'allow', by: 'policy', receiptId: null };
    },
  };
  const tool: Tool = {
    name: 'write',
    group: 'files',
    core: true,
    description: 'Writes.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    replay: 'never',
    assess,
    execute: async (_args, context) => {
      contexts.push(context);
      context.progress({ content: [] });
      return { content: [{ type: 'text', text: 'written' }] };
    },
  };
  const rig = createAgentRig([calls(['c1', 'write', { path: '/a' }]), says('done')], {
    tools: [loopTool(tool, facts)],
    beforeToolCall: gateHook({ tools: [tool], gate, facts, tainted: () => true, more: () => more }),
  });
  await rig.agent.prompt('go');
  return { asked, contexts, rig };
}

describe('Tool behind the approval gate', () => {
  it('runs after the gate has seen the whole call', async () => {
    const { asked, contexts, rig } = await run({});
    expect(asked).toMatchObject([
      { ...facts(), callId: 'c1', tool: 'write', group: 'files', args: { path: '/a' }, tainted: true },
    ]);
    expect(contexts).toMatchObject([{ ...facts(), callId: 'c1' }]);
    expect(rig.told()).toContain('tool_execution_update c1');
    expect(rig.texts()[2]).toBe('toolResult:written');
  });

  it('does not run if the gate denies, and the model gets the reason', async () => {
    const { contexts, rig } = await run({ decision: { type: 'deny', reason: 'not today', by: 'operator' } });
    expect(contexts).toEqual([]);
    expect(rig.texts()[2]).toBe('toolResult!:not today');
  });

  it('does not run if the tool itself refuses, whatever the gate says; the gate still sees the call', async () => {
    const blocked = { reason: 'path_outside_allowed_roots', message: 'Outside of your folders.' };
    const { asked, contexts, rig } = await run({ assess: () => assessment('/a', { blocked }) });
    expect(asked).toHaveLength(1);
    expect(contexts).toEqual([]);
    expect(rig.agent.state.messages[2]).toMatchObject({
      isError: true,
      details: { blocked: true, block_reason: 'path_outside_allowed_roots' },
    });
  });

  describe('Call whose effect changes before it is allowed (T14)', () => {
    const first = { type: 'allow', by: 'operator', receiptId: 'r1' } as const;
    const denied = { type: 'deny', by: 'operator', reason: 'not that one' } as const;
    const leadsTo = (paths: readonly string[]) => {
      let looks = -1;
      return () => {
        looks = Math.min(looks + 1, paths.length - 1);
        return assessment(paths[looks] ?? '');
      };
    };
    const targets = (asked: readonly GateCall[]) => asked.map((call) => call.assessment.effects);

    it('asks the gate again with the new data and obeys a denial', async () => {
      const { asked, contexts, rig } = await run({
        assess: leadsTo(['/a', '/etc/passwd']),
        decide: ({ assessment: { effects } }) =>
          effects[0]?.kind === 'write' && effects[0].path === '/a' ? first : denied,
      });
      expect(targets(asked)).toEqual([assessment('/a').effects, assessment('/etc/passwd').effects]);
      expect(asked.map(({ callId }) => callId)).toEqual(['c1', 'c1']);
      expect(contexts).toEqual([]);
      expect(rig.texts()[2]).toBe('toolResult!:not that one');
    });

    it('runs after the new data is allowed; the second request is not marked as resumed', async () => {
      const { asked, contexts } = await run({
        assess: leadsTo(['/a', '/b']),
        decision: first,
        more: { resumed: true },
      });
      expect(asked.map(({ resumed }) => resumed)).toEqual([true, false]);
      expect(contexts).toHaveLength(1);
    });

    it('is denied if the effect keeps changing', async () => {
      let looks = 0;
      const { asked, contexts, rig } = await run({
        decision: first,
        assess: () => {
          looks += 1;
          return assessment(`/${looks}`);
        },
      });
      expect(asked).toHaveLength(4);
      expect(contexts).toEqual([]);
      expect(rig.texts()[2]).toContain('has changed since it was allowed');
    });

    it.each([
      ['title', 'policy', 2],
      ['where', 'policy', 2],
      ['body', 'operator', 2],
      ['body', 'policy', 1],
    ] as const)('with another %s than allowed by %s, asks the gate %i times', async (field, by, times) => {
      let looks = 0;
      const { asked, contexts } = await run({
        decision: { type: 'allow', by, receiptId: null },
        assess: () => {
          looks += 1;
          const { preview, ...rest } = assessment('/a');
          return { ...rest, preview: { ...preview, [field]: looks === 1 ? 'as shown' : 'another' } };
        },
      });
      expect(asked).toHaveLength(times);
      expect(contexts).toHaveLength(1);
    });
  });
});
