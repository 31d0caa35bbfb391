import type { AgentToolResult, AgentToolView } from '../../contract/agent-tool-methods.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ApprovalGate } from '../../core/approvals/approval-gate.ts';
import { gateVerdict } from '../../core/loop/tool-adapter.ts';
import { runBody } from '../../core/loop/tool-body.ts';
import type { Clock } from '../../core/ports.ts';
import type { Tool, ToolOutput } from '../../core/tools/tool.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { OutsideReads } from './outside-reads.ts';
import { outsideTurn } from './running-calls.ts';

export interface AgentToolCalls {
  list(agentId: string): Promise<Result<readonly AgentToolView[]>>;
  call(agentId: string, call: OutsideCall, signal: AbortSignal): Promise<Result<AgentToolResult>>;
}

export interface OutsideCall {
  readonly callId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface AgentToolCallsDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly toolsOf: (agent: LoadedAgent) => readonly Tool[];
  readonly gate: () => ApprovalGate;
  readonly reads: Pick<OutsideReads, 'filter' | 'note'>;
  readonly clock: Clock;
}

/** A message from outside has no thread by default. */
const noThread = 'mcp';
const abortMs = 30_000;

const unknownAgent = fail('not_found', 'programs.unknownAgent');
const unknownTool = fail('not_found', 'programs.unknownTool', {}, { help: 'programs.askToolList' });

const viewOf = ({ name, description, parameters, foreign }: Tool): AgentToolView => ({
  name,
  description,
  inputSchema: { ...parameters },
  readOnly: foreign === true,
});

function resultOf({ content }: ToolOutput, isError: boolean): AgentToolResult {
  const blocks = content.map((block) =>
    block.type === 'text'
      ? { type: 'text' as const, text: block.text }
      : { type: 'image' as const, data: block.data, mimeType: block.mimeType },
  );
  return { content: blocks, isError };
}

const refusal = (text: string): AgentToolResult => ({ content: [{ type: 'text', text }], isError: true });

export function createAgentToolCalls({
  agents,
  toolsOf,
  gate: gateNow,
  reads,
  clock,
}: AgentToolCallsDeps): AgentToolCalls {
  return {
    async list(agentId) {
      const agent = agents.get(agentId);
      return agent ? ok(toolsOf(agent).map(viewOf)) : err(unknownAgent);
    },
    async call(agentId, { callId, name, args }, signal) {
      const agent = agents.get(agentId);
      if (!agent) return err(unknownAgent);
      const tools = toolsOf(agent);
      const tool = tools.find((each) => each.name === name);
      if (!tool) return err(unknownTool);
      const facts = { agentId, turnId: outsideTurn(callId), threadKey: noThread };
      // The program's sources are unknown, so its calls count as tainted (T9).
      const gate = { tools, gate: gateNow(), facts: () => facts, tainted: () => true };
      const asked = { callId, name, args, justification: '' };
      const said = await gateVerdict(gate, asked, signal);
      if (said?.block) return ok(refusal(said.reason ?? `${name} was not allowed.`));
      if (signal.aborted) return ok(refusal('The call was cancelled before it began.'));
      const mayRead = await reads.filter(agentId);
      const body = {
        name,
        description: tool.description,
        parameters: tool.parameters,
        execute: async (id: string, given: typeof args, ended: AbortSignal) => {
          const context = { ...facts, callId: id, signal: ended, tainted: true, progress: () => undefined };
          const output = await tool.execute(given, { ...context, ...(mayRead ? { mayRead } : {}) });
          reads.note(agentId, output.sources ?? []);
          return output;
        },
      };
      const limits = { clock, signal, timeoutMs: tool.timeoutMs ?? null, abortMs };
      const { output, isError } = await runBody(body, callId, args, limits, () => undefined);
      return ok(resultOf(output, isError));
    },
  };
}
