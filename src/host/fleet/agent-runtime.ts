import { isRunnableKind } from '../../contract/runtime-kinds.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { callDigest } from '../../core/approvals/digest.ts';
import { toHex } from '../../core/lib/bytes.ts';
import { loadOnce } from '../../core/lib/shared-run.ts';
import type { SpendGate } from '../../core/models/spend-gate.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { OtherWorkspace, RuntimeRegistry, TaskRuntimeOf } from '../../core/runtimes/runtime-adapter.ts';
import type { AgentKit, TurnResources } from '../../core/runtimes/runtime-ports.ts';
import type { RuntimePort } from '../../core/supervisor/runtime-port.ts';
import { createReadLog } from './audiences.ts';
import type { AgentMessaging } from './messaging.ts';
import type { OpenedAgent } from './open-agent.ts';

export interface AgentRuntimesDeps {
  readonly runtimes: RuntimeRegistry;
  readonly spend: SpendGate;
  /** The tools of an agent; loaded with its first turn. */
  readonly kitOf: (agent: RuntimeOf, messaging: AgentMessaging) => Promise<() => Promise<AgentKit>>;
  /** ms that a turn may take. */
  readonly turnMs: () => number;
}

export interface RuntimeOf {
  readonly opened: OpenedAgent;
  readonly audience: AudiencePort;
  config(): AgentConfig;
  isOperator(slug: string): boolean;
  messaging(): Promise<AgentMessaging>;
}

export interface AgentRuntime {
  /** Loaded and built at the agent's first turn, so an idle agent costs nothing. */
  readonly runtime: RuntimePort;
  readonly taskRuntime: TaskRuntimeOf;
  /** Ends the programs of all its turns. */
  close(): Promise<void>;
}

export type RuntimeFactory = (agent: RuntimeOf) => AgentRuntime;

export const createAgentRuntimes =
  (deps: AgentRuntimesDeps): RuntimeFactory =>
  (agent) => {
    const opened = new Set<RuntimePort>();
    const taskRuntime: TaskRuntimeOf = async (change, workspace) => {
      const { opened: account } = agent;
      const { id, log } = account;
      const config = workspace === null ? agent.config : () => inWorkspace(agent.config(), workspace);
      const { kind } = config().runtime;
      // An agent of another kind is not launched.
      if (!isRunnableKind(kind)) throw new Error(`No runtime is registered for the kind ${kind}.`);
      const [adapter, turns] = await Promise.all([
        deps.runtimes[kind](),
        turnResources(deps, { ...agent, config }),
      ]);
      const runtime = adapter.open({ id, log, config }, change(turns));
      if (!runtime.close) return runtime;
      opened.add(runtime);
      return {
        run: (turn, signal) => runtime.run(turn, signal),
        async close() {
          opened.delete(runtime);
          await runtime.close?.();
        },
      };
    };
    return {
      runtime: lazyRuntime(() => taskRuntime((turns) => turns, null)),
      taskRuntime,
      close: async () => {
        await Promise.all([...opened].map((runtime) => runtime.close?.()));
      },
    };
  };

/** Folders that the agent names relative to its workspace are those of the other one. */
const inWorkspace = (config: AgentConfig, { path, reads }: OtherWorkspace): AgentConfig => ({
  ...config,
  workspace_dir: path,
  bash: { ...config.bash, allowed_roots: [...config.bash.allowed_roots, ...reads] },
});

function lazyRuntime(open: () => Promise<RuntimePort>): RuntimePort {
  const opened = loadOnce(open);
  return {
    async *run(turn, signal) {
      yield* (await opened()).run(turn, signal);
    },
  };
}

async function turnResources(deps: AgentRuntimesDeps, agent: RuntimeOf): Promise<TurnResources> {
  const { opened, config, isOperator, audience } = agent;
  const { id, store, crypto } = opened;
  const sha256 = (bytes: Uint8Array): string => toHex(crypto.sha256(bytes));
  return {
    transcripts: store.transcripts,
    kit: await deps.kitOf(agent, await agent.messaging()),
    spend: deps.spend,
    settings: () => ({
      thinking: config().runtime.thinking,
      turnMs: deps.turnMs(),
      directives: config().directives,
    }),
    readers: { isOperator, audience, reads: createReadLog(store) },
    digest: (tool, args) => callDigest(sha256, { agentId: id, tool, args }) ?? '',
  };
}
