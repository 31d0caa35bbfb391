import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { callDigest } from '../../core/approvals/digest.ts';
import { toHex } from '../../core/lib/bytes.ts';
import type { SpendGate } from '../../core/models/spend-gate.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { Clock, Random } from '../../core/ports.ts';
import type { AgentKit, ChatLocalDeps } from '../../core/runtimes/runtime-ports.ts';
import type { RuntimePort } from '../../core/supervisor/runtime-port.ts';
import { createReadLog } from './audiences.ts';
import type { AgentMessaging } from './messaging.ts';
import type { ModelAccess } from './model-access.ts';
import type { OpenedAgent } from './open-agent.ts';

export interface AgentRuntimesDeps {
  readonly models: Pick<ModelAccess, 'chooseFresh' | 'model' | 'facts' | 'gate'>;
  readonly spend: SpendGate;
  /** The tools of an agent; loaded with its first turn. */
  readonly kitOf: (agent: RuntimeOf, messaging: AgentMessaging) => Promise<() => Promise<AgentKit>>;
  /** ms that a turn may take. */
  readonly turnMs: () => number;
  readonly clock: Clock;
  readonly random: Random;
}

export interface RuntimeOf {
  readonly opened: OpenedAgent;
  readonly audience: AudiencePort;
  config(): AgentConfig;
  isOperator(slug: string): boolean;
  messaging(): Promise<AgentMessaging>;
}

/** Model and tools of an agent. */
export interface AgentRuntime {
  /** Loaded and built at the agent's first turn, so an idle agent costs nothing. */
  readonly runtime: RuntimePort;
  /** For tasks, which have their own transcript. */
  thinking(): Promise<ChatLocalDeps>;
}

export type RuntimeFactory = (agent: RuntimeOf) => AgentRuntime;

export const createAgentRuntimes =
  (deps: AgentRuntimesDeps): RuntimeFactory =>
  (agent) => {
    const thinking = () => thinkingParts(deps, agent);
    return { runtime: lazyRuntime(thinking), thinking };
  };

function lazyRuntime(thinking: () => Promise<ChatLocalDeps>): RuntimePort {
  let made: Promise<RuntimePort> | null = null;
  const build = async (): Promise<RuntimePort> => {
    const [{ createChatLocalRuntime }, parts] = await Promise.all([
      import('../../core/runtimes/chat-local.ts'),
      thinking(),
    ]);
    return createChatLocalRuntime(parts);
  };
  return {
    async *run(turn, signal) {
      made ??= build();
      made.catch(() => {
        made = null;
      });
      yield* (await made).run(turn, signal);
    },
  };
}

async function thinkingParts(deps: AgentRuntimesDeps, agent: RuntimeOf): Promise<ChatLocalDeps> {
  const { models, spend, clock, random } = deps;
  const { opened, config, isOperator, audience } = agent;
  const { id, store, crypto, log } = opened;
  const sha256 = (bytes: Uint8Array): string => toHex(crypto.sha256(bytes));
  return {
    choose: () => models.chooseFresh(id, config()),
    model: models.model,
    facts: (choice) => models.facts(id, choice),
    gate: models.gate,
    spend,
    kit: await deps.kitOf(agent, await agent.messaging()),
    settings: () => ({ thinking: config().runtime.thinking, turnMs: deps.turnMs() }),
    transcripts: store.transcripts,
    isOperator,
    audience,
    reads: createReadLog(store),
    digest: (tool, args) => callDigest(sha256, { agentId: id, tool, args }) ?? '',
    clock,
    random,
    log,
  };
}
