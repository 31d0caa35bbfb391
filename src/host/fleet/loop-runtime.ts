import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { callDigest } from '../../core/approvals/digest.ts';
import { toHex } from '../../core/lib/bytes.ts';
import type { SpendGate } from '../../core/models/spend-gate.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { RuntimePort } from '../../core/supervisor/runtime-port.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import type { ChatLocalDeps } from '../../services/runtimes/runtime-ports.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { AgentFiles } from '../files/agent-files.ts';
import type { HostPorts } from '../host-ports.ts';
import type { OpenParts } from '../operator.ts';
import type { AgentFolders } from './agent-folders.ts';
import type { AgentToolDeps } from './agent-kit.ts';
import { createReadLog } from './audiences.ts';
import type { ModelAccess } from './model-access.ts';
import type { ContextDeps } from './turn-context.ts';

export interface RuntimeSources {
  readonly ports: HostPorts;
  readonly parts: OpenParts;
  readonly context: ContextDeps;
  readonly models: ModelAccess;
  readonly spend: SpendGate;
  readonly consent: Pick<Approvals, 'ask' | 'gate' | 'questionOf' | 'withdrawBut' | 'sharesOf'> & {
    /** Whether a message to the agent answers a question of the operator; the answer takes effect at once. */
    interceptConsent(agentId: string, message: StoredMessage): { readonly reason: 'consent' } | null;
  };
  /** Created with the first tool of the first agent. */
  readonly sharedTools: () => Promise<AgentToolDeps>;
  readonly folders: AgentFolders;
}

export interface RuntimeOf {
  readonly living: {
    readonly opened: {
      readonly identity: Identity;
      readonly store: AccountStore;
      readonly directory: ServerDirectory;
    };
    readonly account: () => Account;
    readonly files: AgentFiles;
  };
  readonly config: () => AgentConfig;
  readonly isOperator: (slug: string) => boolean;
  readonly audience: AudiencePort;
}

/** Loaded and built at the agent's first turn, so an idle agent costs nothing. */
export function lazyRuntime(sources: RuntimeSources, id: string, of: RuntimeOf): RuntimePort {
  let made: Promise<RuntimePort> | null = null;
  return {
    async *run(turn, signal) {
      made ??= build(sources, id, of);
      made.catch(() => {
        made = null;
      });
      yield* (await made).run(turn, signal);
    },
  };
}

async function build(sources: RuntimeSources, id: string, of: RuntimeOf): Promise<RuntimePort> {
  const [{ createChatLocalRuntime }, parts] = await Promise.all([
    import('../../services/runtimes/chat-local.ts'),
    thinkingParts(sources, id, of),
  ]);
  return createChatLocalRuntime(parts);
}

/** Model, tools and context of an agent, for chat turns and for tasks with their own transcript. */
export async function thinkingParts(
  sources: RuntimeSources,
  id: string,
  of: RuntimeOf,
): Promise<ChatLocalDeps> {
  const [{ createKitSource }, { createAgentMessaging }] = await Promise.all([
    import('./agent-kit.ts'),
    import('./messaging.ts'),
  ]);
  const { ports, parts, models, consent, context, spend } = sources;
  const { clock, random } = ports;
  const { crypto } = parts;
  const { config, isOperator } = of;
  const { identity, store, directory } = of.living.opened;
  const sha256 = (bytes: Uint8Array): string => toHex(crypto.sha256(bytes));
  const { profiles } = directory;
  const account = of.living.account();
  const { files } = of.living;
  const kit = createKitSource({
    shared: sources.sharedTools,
    agent: () => context.agents.get(id),
    config,
    messaging: createAgentMessaging({ account, store, profiles, identity, crypto, clock, files }),
    consent: { gate: consent.gate(), waitingFor: (call) => consent.questionOf(id, call) },
    log: ports.log,
  });
  return {
    choose: () => models.chooseFresh(id, config()),
    model: models.model,
    facts: (choice) => models.facts(id, choice),
    gate: models.gate,
    spend,
    kit,
    settings: () => ({
      thinking: config().runtime.thinking,
      turnMs: context.settings.config().limits.turn_minutes * 60_000,
    }),
    transcripts: store.transcripts,
    isOperator,
    audience: of.audience,
    reads: createReadLog(store),
    digest: (tool, args) => callDigest(sha256, { agentId: id, tool, args }) ?? '',
    clock,
    random,
    log: ports.log.child({ agent: id }),
  };
}
