import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { createAgentRunCounter } from '../../core/agents/agent-run.ts';
import { decideTrigger } from '../../core/agents/triggers.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { AccountStore, StoredMessage } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { DesiredAgent } from '../../core/supervisor/reconcile.ts';
import type { LaunchHooks, RunningAgent } from '../../core/supervisor/supervisor-ports.ts';
import { createWorker } from '../../core/supervisor/worker.ts';
import type { Worker, WorkerEvents } from '../../core/supervisor/worker-ports.ts';
import { openAccountStore } from '../../services/db/account-store.ts';
import { createAccount } from '../../services/puffo/account.ts';
import type { Account, AccountEvents } from '../../services/puffo/account-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import { createChatLocalRuntime } from '../../services/runtimes/chat-local.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Layout } from '../layout.ts';
import type { OpenParts } from '../operator.ts';
import type { WatchStore } from '../store-watch.ts';
import type { ModelAccess } from './model-access.ts';
import { type ContextDeps, readTurnContext } from './turn-context.ts';

/** What the fleet hears from one agent. */
export interface PostEvents {
  onOpened(account: Account, store: AccountStore): void;
  onConnection: AccountEvents['onConnection'];
  onAccepted(messages: readonly StoredMessage[]): void;
  onRefused: AccountEvents['onRefused'];
  onHeld(senderSlug: string): void;
  readonly worker: WorkerEvents;
}

export interface LaunchDeps {
  readonly ports: HostPorts;
  readonly layout: Layout;
  readonly parts: OpenParts;
  readonly models: ModelAccess;
  readonly context: ContextDeps;
  readonly watchStore: WatchStore;
}

interface Opened {
  readonly identity: Identity;
  readonly store: AccountStore;
  readonly directory: ServerDirectory;
}

function openParts(deps: LaunchDeps, id: string, config: AgentConfig): Result<Opened> {
  const { parts, layout, ports } = deps;
  const { slug, server_url: serverUrl } = config.puffo_core;
  const stored = parts.keys.loadIdentity(layout.agentKeys(id), slug);
  if (!stored.ok) return stored;
  const identity = { ...stored.value, serverUrl: parts.currentUrl(serverUrl) };
  const path = layout.agentStore(id);
  const key = parts.keys.storeKey(path);
  if (!key.ok) return key;
  const directory = parts.servers.directory(identity.serverUrl);
  if (!directory.ok) return directory;
  const { clock } = ports;
  const store = openAccountStore({
    path,
    key: key.value,
    slug,
    clock,
    log: ports.log.child({ agent: id }),
    ...deps.watchStore(id),
  });
  return ok({ identity, store, directory: directory.value });
}

/** `KENNEL_HEARTBEAT_SECONDS`, 10 to 3,600: how often agents say that they are there. */
function heartbeatMs(env: HostPorts['env']): number | undefined {
  const seconds = Number(env.KENNEL_HEARTBEAT_SECONDS);
  return seconds >= 10 && seconds <= 3_600 ? seconds * 1000 : undefined;
}

/** Decides for each new message; an agent that answers agents for too long is stopped by the brake. */
function createDecide(opened: Opened, config: () => AgentConfig) {
  const { identity, store, directory } = opened;
  const isAgent = (slug: string): boolean => directory.profiles.known(slug).agent;
  const runs = createAgentRunCounter({
    isAgent,
    recent: (roomId) => store.history({ roomId, limit: 20 }).messages,
  });
  return (message: StoredMessage) =>
    decideTrigger({
      triggers: config().triggers,
      agentSlug: identity.slug,
      message,
      paused: config().state === 'paused',
      senderIsAgent: isAgent(message.senderSlug),
      agentRun: runs.observe(message),
    });
}

function accountEvents(
  deps: LaunchDeps,
  id: string,
  events: PostEvents,
  worker: () => Worker | null,
): AccountEvents {
  const log = deps.ports.log.child({ agent: id });
  return {
    onConnection: events.onConnection,
    onAccepted: (messages) => {
      worker()?.accepted(messages);
      events.onAccepted(messages);
    },
    onOutbox: (envelopeId, state, error) => {
      if (state === 'failed') log.warn('message_not_sent', { envelopeId, error });
    },
    onRefused: events.onRefused,
    onRooms: () => undefined,
    onProcessing: () => undefined,
    onHeld: ({ senderSlug }) => events.onHeld(senderSlug),
    onInvite: ({ inviterSlug, spaceName }) => log.info('invite_left_open', { inviterSlug, spaceName }),
    onStoreFault: (error) => log.error('store_fault', { code: error.code, message: error.message }),
  };
}

const unsupportedKind = (kind: string) =>
  appError('unsupported', `This version of Kennel cannot run agents of the kind ${kind} yet.`, {
    hint: 'Set the kind to chat-local with "kennel agent runtime".',
    where: 'runtime.kind',
  });

/** Opens an agent's account and puts it to work. */
export async function launchAgent(
  deps: LaunchDeps,
  desired: DesiredAgent<AgentConfig>,
  events: PostEvents,
  hooks: LaunchHooks,
): Promise<Result<RunningAgent<AgentConfig>>> {
  const { id } = desired;
  const { clock, random } = deps.ports;
  const log = deps.ports.log.child({ agent: id });
  if (desired.config.runtime.kind !== 'chat-local') return err(unsupportedKind(desired.config.runtime.kind));
  const opened = openParts(deps, id, desired.config);
  if (!opened.ok) return opened;
  const { identity, store, directory } = opened.value;
  let config = desired.config;
  let worker: Worker | null = null;
  const account = createAccount({
    identity,
    store,
    directory,
    sessions: deps.parts.keys.sessions(deps.layout.agentKeys(id), identity.slug),
    crypto: deps.parts.crypto,
    clock,
    random,
    log,
    decide: createDecide(opened.value, () => config),
    events: accountEvents(deps, id, events, () => worker),
    heartbeatMs: heartbeatMs(deps.ports.env),
  });
  const { models } = deps;
  const runtime = createChatLocalRuntime({
    choose: () => models.chooseFresh(id, config),
    model: models.model,
    gate: models.gate,
    clock,
    random,
    log,
  });
  worker = createWorker({
    agentId: id,
    account,
    store,
    runtime,
    context: async () => readTurnContext(deps.context, id, identity.slug, config),
    events: events.worker,
    clock,
    random,
    log,
  });
  if (hooks.signal.aborted) return err(appError('cancelled', 'The start was called off.'));
  try {
    events.onOpened(account, store);
    account.start();
    worker.recover();
  } catch (error) {
    await account.stop();
    if (error instanceof StoreError) return err(error.toAppError());
    throw error;
  }
  const running = worker;
  return ok({
    update: (next) => {
      config = next;
    },
    async stop() {
      await running.stop();
      await account.stop();
      store.release();
    },
  });
}
