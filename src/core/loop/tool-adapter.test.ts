import { describe, expect, it } from 'vitest';
import { createAgentRig } from '../../../test/fakes/agent-rig.ts';
import { calls, says } from '../../../test/fakes/scripted-stream.ts';
import type {
  ApprovalGate,
  Assessment,
  Effect,
  GateCall,
  GateDecision,
  Tool,
  ToolCallContext,
} from '../tool-ports.ts';
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
}

async function run({ assess = () => assessment('/a'), decision }: Parts) {
  const asked: GateCall[] = [];
  const contexts: ToolCallContext[] = [];
  const gate: ApprovalGate = {
    check: async (call) => {
      asked.push(call);
      return decision ?? { type: 'allow', by: 'policy', receiptId: null };
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
    beforeToolCall: gateHook({ tools: [tool], gate, facts, tainted: () => true }),
  });
  await rig.agent.prompt('go');
  return { asked, contexts, rig };
}

describe('a tool behind the gate', () => {
  it('runs as itself, once the gate has seen the whole call', async () => {
    const { asked, contexts, rig } = await run({});
    expect(asked).toMatchObject([
      { ...facts(), callId: 'c1', tool: 'write', group: 'files', args: { path: '/a' }, tainted: true },
    ]);
    expect(contexts).toMatchObject([{ ...facts(), callId: 'c1' }]);
    expect(rig.told()).toContain('tool_execution_update c1');
    expect(rig.texts()[2]).toBe('toolResult:written');
  });

  it('does not run when the gate denies, and the model is told why', async () => {
    const { contexts, rig } = await run({ decision: { type: 'deny', reason: 'not today', by: 'operator' } });
    expect(contexts).toEqual([]);
    expect(rig.texts()[2]).toBe('toolResult!:not today');
  });

  it('does not run what the tool itself refuses, whatever the gate says; the gate hears of it', async () => {
    const blocked = { reason: 'path_outside_allowed_roots', message: 'Outside of your folders.' };
    const { asked, contexts, rig } = await run({ assess: () => assessment('/a', { blocked }) });
    expect(asked).toHaveLength(1);
    expect(contexts).toEqual([]);
    expect(rig.agent.state.messages[2]).toMatchObject({
      isError: true,
      details: { blocked: true, block_reason: 'path_outside_allowed_roots' },
    });
  });

  it('does not run when it would touch something else by then (T14)', async () => {
    let looks = 0;
    const { contexts, rig } = await run({
      assess: () => {
        looks += 1;
        return assessment(looks === 1 ? '/a' : '/etc/passwd');
      },
    });
    expect(contexts).toEqual([]);
    expect(rig.texts()[2]).toContain('has changed since it was allowed');
  });

  it.each([
    ['title', 'policy', false],
    ['where', 'policy', false],
    ['body', 'operator', false],
    ['body', 'policy', true],
  ] as const)('T14: another %s than the one allowed by %s: it runs: %s', async (field, by, runs) => {
    let looks = 0;
    const { contexts } = await run({
      decision: { type: 'allow', by, receiptId: null },
      assess: () => {
        looks += 1;
        const { preview, ...rest } = assessment('/a');
        return { ...rest, preview: { ...preview, [field]: looks === 1 ? 'as shown' : 'another' } };
      },
    });
    expect(contexts).toHaveLength(runs ? 1 : 0);
  });
});
