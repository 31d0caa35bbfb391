import { fail } from '../../contract/fail.ts';
import type { Principal } from '../../contract/method-row.ts';
import { err, ok } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { AgentToolCalls } from './agent-tool-calls.ts';
import type { McpAccess } from './mcp-access.ts';

type McpHandlers = Pick<
  Handlers,
  'agents.mcpAccess' | 'agentTools.list' | 'agentTools.call' | 'agentTools.cancel'
>;

const nobody = fail('forbidden', 'programs.programWithoutAgent');
const twice = fail('conflict', 'programs.callIdTaken');
const tooMany = fail('rate_limited', 'programs.tooManyCalls', {}, { help: 'programs.waitForCalls' });
const maxCalls = 32;

/** The token determines the agent; the input cannot name one. */
const agentIdOf = (principal: Principal): string | null =>
  principal.kind === 'agent' && principal.id !== undefined ? principal.id : null;

export interface McpHandlersDeps {
  readonly agents: AgentStore;
  readonly mcp: Pick<McpAccess, 'access' | 'running' | 'stopped'>;
  /** Loaded with the first program. */
  readonly calls: () => Promise<AgentToolCalls>;
}

export function createMcpHandlers({ agents, mcp, calls }: McpHandlersDeps): McpHandlers {
  const { running } = mcp;
  return {
    'agents.mcpAccess': ({ agent: ref, http }) => {
      const found = findAgent(agents, ref);
      return found.ok ? mcp.access(found.value.id, http) : found;
    },
    'agentTools.list': async (_input, principal) => {
      const id = agentIdOf(principal);
      if (id === null) return err(nobody);
      const listed = await (await calls()).list(id);
      return listed.ok ? ok({ tools: [...listed.value] }) : listed;
    },
    'agentTools.call': async (call, principal) => {
      const id = agentIdOf(principal);
      if (id === null) return err(nobody);
      if (running.count(id) >= maxCalls) return err(tooMany);
      const ended = running.begin(id, call.callId);
      if (!ended) return err(twice);
      try {
        return await (await calls()).call(id, call, AbortSignal.any([ended, mcp.stopped]));
      } finally {
        running.end(id, call.callId);
      }
    },
    'agentTools.cancel': ({ callId }, principal) => {
      const id = agentIdOf(principal);
      if (id === null) return err(nobody);
      running.cancel(id, callId);
      return ok({});
    },
  };
}
