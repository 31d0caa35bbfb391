import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Brake as BrakeView } from '../../contract/work.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { BrakeThread } from '../../core/agents/brake.ts';
import { notYet } from '../../core/agents/runtime-triple.ts';
import { threadKeyOf } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import type { AcceptRow, AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { DesiredAgent } from '../../core/supervisor/reconcile.ts';
import { stopReason } from '../../core/supervisor/resumed-turns.ts';
import { upToEachStop } from '../../core/supervisor/stop-order.ts';
import type { LaunchHooks, RunningAgent } from '../../core/supervisor/supervisor-ports.ts';
import { createWorker } from '../../core/supervisor/worker.ts';
import type { Worker, WorkerEvents } from '../../core/supervisor/worker-ports.ts';
import { openAccountStore } from '../../services/db/account-store.ts';
import { createAccount } from '../../services/puffo/account.ts';
import type { Account, AccountEvents } from '../../services/puffo/account-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import type { OperatorTrust } from '../approvals/operator-trust.ts';
import { type AgentFiles, createFileIntake, type FileIntakeDeps } from '../files/agent-files.ts';
import { openOutgoing } from '../files/open-outgoing.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Layout } from '../layout.ts';
import type { OpenParts } from '../operator.ts';
import type { WatchStore } from '../store-watch.ts';
import { type ArrivingAgent, introductionsOf, invitesOf } from './agent-arrivals.ts';
import { audienceOf } from './agent-audience.ts';
import { type ContactSources, contactsOf } from './agent-contacts.ts';
import type { AgentCapabilities } from './agent-post.ts';
import { type AgentThinking, agentThinking } from './agent-thinking.ts';
import { type AgentBrakes, createAgentBrakes } from './brakes.ts';
import { createDecide } from './decide.ts';
import type { FirstContacts } from './first-contacts.ts';
import type { Introductions } from './introductions.ts';
import type { InviteQuestions } from './invite-questions.ts';
import { lazyRuntime, type RuntimeOf, type RuntimeSources } from './loop-runtime.ts';
import type { AgentMessaging } from './messaging.ts';
import { sayLimited, sayStopped, sendersOf } from './notices.ts';
import { agentTest, takeOwnWord } from './own-words.ts';
import type { SenderLimits } from './sender-limits.ts';
import { heedTask, taskReason, taskWords } from './task-words.ts';
import type { ContextDeps } from './turn-context.ts';

export interface PostEvents {
  onOpened(account: Account, store: AccountStore, hands: AgentCapabilities): void;
  onBrakes(brakes: readonly BrakeView[]): void;
  onConnection: AccountEvents['onConnection'];
  onAccepted(messages: readonly StoredMessage[]): void;
  onRefused: AccountEvents['onRefused'];
  onHeld(senderSlug: string, envelopeId: string): void;
  readonly worker: WorkerEvents;
}

export interface LaunchDeps extends RuntimeSources, ContactSources {
  readonly ports: HostPorts;
  readonly layout: Layout;
  readonly parts: OpenParts;
  readonly context: ContextDeps;
  readonly watchStore: WatchStore;
  readonly trust: OperatorTrust;
  readonly images: FileIntakeDeps['images'];
  /** Current server URL of this host's operator, or `null` without one. */
  operatorServer(): string | null;
  /** Carries out a command once, also after a crash; returns false if it is not possible now. */
  heedTask(agentId: string, message: StoredMessage): Promise<boolean>;
  onBraked(slug: string): void;
  /** A sender reached the hourly limit; `until` is in ms since the epoch. */
  onSenderLimit(agentId: string, slug: string, until: number): void;
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

/** `KENNEL_HEARTBEAT_SECONDS`, 10 to 3,600: interval of the agents' heartbeats. */
function heartbeatMs(env: HostPorts['env']): number | undefined {
  const seconds = Number(env.KENNEL_HEARTBEAT_SECONDS);
  return seconds >= 10 && seconds <= 3_600 ? seconds * 1000 : undefined;
}

/** Compares keys, because on another server anyone may have the operator's slug. */
function operatorTest(deps: LaunchDeps, id: string, opened: Opened): (slug: string) => boolean {
  const { identity, directory } = opened;
  return (slug) => {
    const operator = deps.trust.operatorOf(id);
    if (!operator || slug !== operator.slug) return false;
    const remembered = directory.identities.remembered(slug);
    if (remembered) return remembered.rootPublicKey === operator.root;
    return deps.operatorServer() === identity.serverUrl;
  };
}

interface Living {
  readonly opened: Opened;
  readonly brakes: AgentBrakes;
  readonly contacts: FirstContacts;
  readonly senders: SenderLimits;
  readonly invites: InviteQuestions;
  readonly introductions: Introductions;
  readonly account: () => Account;
  readonly worker: () => Worker | null;
  readonly files: AgentFiles;
}

function accountEvents(deps: LaunchDeps, id: string, events: PostEvents, living: Living): AccountEvents {
  const log = deps.ports.log.child({ agent: id });
  const { store } = living.opened;
  return {
    onConnection: events.onConnection,
    onAccepted: (messages) => {
      const isStop = ({ envelopeId }: StoredMessage): boolean =>
        despiteStore(() => store.decision(envelopeId)?.reason === stopReason, false);
      for (const piece of upToEachStop(messages, isStop)) {
        living.worker()?.accepted(piece);
        despiteStore(() => heed(deps, id, living, piece), undefined);
      }
      events.onAccepted(messages);
    },
    onOutbox: (envelopeId, state, error) => {
      if (state === 'failed') log.warn('message_not_sent', { envelopeId, error });
      // The agent's own messages count for the loop brake.
      const said = state === 'sent' ? despiteStore(() => store.message(envelopeId), null) : null;
      if (said) living.brakes.observe(said);
    },
    onRefused: events.onRefused,
    onRooms: () => undefined,
    onProcessing: () => undefined,
    onHeld: ({ senderSlug, envelopeId }) => events.onHeld(senderSlug, envelopeId),
    onInvites: (waiting) => living.invites.heard(waiting),
    onJoined: (joined) => despiteStore(() => living.introductions.joined(joined), undefined),
    onStoreFault: (error) => log.error('store_fault', { code: error.code, message: error.message }),
  };
}

/** Carries out commands in messages that the model does not see, once they are stored. */
function heed(deps: LaunchDeps, id: string, living: Living, messages: readonly StoredMessage[]): void {
  const { store, identity } = living.opened;
  for (const message of messages) {
    const rootId = threadRootOf(message, (id) => store.message(id));
    switch (store.decision(message.envelopeId)?.reason) {
      case stopReason:
        living.worker()?.stopTurn(threadKeyOf(message.roomId, rootId));
        break;
      case taskReason:
        void heedTask(deps, id, store, message);
        break;
      case 'continue':
        goOn(living, { roomId: message.roomId, rootId });
        break;
      case 'first_contact':
        living.contacts.stored(message.senderSlug);
        break;
      case 'sender_limit':
        sayLimited(deps, id, living, { message, rootId });
        break;
      case 'agent_brake':
        if (!living.brakes.stoppedBy(message)) break;
        sayStopped(deps, living, { message, rootId });
        deps.onBraked(identity.slug);
        break;
      default:
    }
  }
}

function goOn({ opened, brakes, worker }: Living, thread: BrakeThread): boolean {
  const heldBack = brakes.goOn(thread);
  if (!heldBack) return false;
  const { store } = opened;
  for (const id of heldBack) store.reopen(id, 'continued');
  worker()?.accepted(heldBack.flatMap((id) => store.message(id) ?? []));
  return true;
}

async function messagingOf(
  { ports, parts }: LaunchDeps,
  { opened, account, files }: Living,
): Promise<AgentMessaging> {
  const { createAgentMessaging } = await import('./messaging.ts');
  const { identity, store, directory } = opened;
  const { profiles } = directory;
  const { crypto } = parts;
  return createAgentMessaging({
    account: account(),
    store,
    profiles,
    identity,
    crypto,
    clock: ports.clock,
    files,
  });
}

function hear(deps: LaunchDeps, id: string, living: Living, word: AcceptRow): void {
  const { brakes, opened } = living;
  const taken = takeOwnWord({ store: opened.store, brakes, now: deps.ports.clock.now }, word);
  living.worker()?.accepted(taken);
  heed(deps, id, living, taken);
}

const handsOf = (
  deps: LaunchDeps,
  id: string,
  living: Living,
  thinking: AgentThinking,
): AgentCapabilities => ({
  ...thinking,
  contacts: living.contacts,
  stop: (threadKey) => living.worker()?.stopTurn(threadKey) ?? false,
  goOn: (thread) => goOn(living, thread),
  joinRound: living.brakes.joinRound,
  hear: (word) => hear(deps, id, living, word),
  messaging: () => messagingOf(deps, living),
});

const openTurnIds = (store: AccountStore): ReadonlySet<string> =>
  new Set(store.openTurns().map(({ turnId }) => turnId));

/** A turn stopped before it resumes at its question ends without withdrawing the question. */
const withdrawing = (inner: WorkerEvents, withdrawOver: () => void): WorkerEvents => ({
  ...inner,
  onTurnEnded(turn, end) {
    inner.onTurnEnded(turn, end);
    despiteStore(withdrawOver, undefined);
  },
});

/** Opens an agent's account and starts its worker; a store error is returned as such. */
export async function launchAgent(
  deps: LaunchDeps,
  desired: DesiredAgent<AgentConfig>,
  events: PostEvents,
  hooks: LaunchHooks,
): Promise<Result<RunningAgent<AgentConfig>>> {
  try {
    return await launch(deps, desired, events, hooks);
  } catch (error) {
    if (error instanceof StoreError) return err(error.toAppError());
    throw error;
  }
}

async function launch(
  deps: LaunchDeps,
  desired: DesiredAgent<AgentConfig>,
  events: PostEvents,
  hooks: LaunchHooks,
): Promise<Result<RunningAgent<AgentConfig>>> {
  const { id } = desired;
  const { clock, random } = deps.ports;
  const log = deps.ports.log.child({ agent: id });
  const unsupported = notYet(desired.config.runtime.kind);
  if (unsupported) return err(unsupported);
  const opened = openParts(deps, id, desired.config);
  if (!opened.ok) return opened;
  const { identity, store, directory } = opened.value;
  let config = desired.config;
  let worker: Worker | null = null;
  const isOperator = operatorTest(deps, id, opened.value);
  const isAgent = agentTest(identity.slug, (slug) => directory.profiles.known(slug).agent);
  const brakes = createAgentBrakes({
    agentId: id,
    store,
    isAgent,
    onChanged: events.onBrakes,
    limit: () => deps.context.settings.config().limits.agent_turns,
  });
  const arriving: ArrivingAgent = {
    id,
    identity,
    store,
    config: () => config,
    account: () => account,
    accepted: (messages) => worker?.accepted(messages),
  };
  const living: Living = {
    opened: opened.value,
    brakes,
    contacts: contactsOf(deps, id, { ...arriving, directory, audience: () => audience }),
    senders: sendersOf(deps, store, () => audience),
    invites: invitesOf(deps, arriving),
    introductions: introductionsOf(deps, arriving),
    account: () => account,
    worker: () => worker,
    files: {
      outgoing: openOutgoing({
        folder: deps.layout.agentOutgoing(id),
        store,
        crypto: deps.parts.crypto,
        ports: deps.ports,
      }),
      intake: createFileIntake(
        { agents: deps.context.agents, folders: deps.folders, images: deps.images, clock },
        { id, crypto: deps.parts.crypto, config: () => config, account: () => account },
      ),
    },
  };
  const account: Account = createAccount({
    identity,
    store,
    directory,
    clock,
    random,
    log,
    crypto: deps.parts.crypto,
    files: living.files.outgoing,
    sessions: deps.parts.keys.sessions(deps.layout.agentKeys(id), identity.slug),
    decide: createDecide({
      slug: identity.slug,
      store,
      brakes,
      isAgent,
      config: () => config,
      now: clock.now,
      contacts: living.contacts,
      senders: living.senders,
      isOperator: (message) => message.encrypted && isOperator(message.senderSlug),
      intercept: (message) => deps.consent.interceptConsent(id, message),
      working: (threadKey) => worker?.working(threadKey) ?? false,
    }),
    events: accountEvents(deps, id, events, living),
    heartbeatMs: heartbeatMs(deps.ports.env),
  });
  const audience = audienceOf(deps, id, { ...opened.value, account: () => account, isOperator });
  const runtimeOf: RuntimeOf = { living, config: () => config, isOperator, audience };
  const thinking = agentThinking(deps, id, runtimeOf);
  const withdrawOver = (): void => deps.consent.withdrawBut(id, () => openTurnIds(store));
  worker = createWorker({
    agentId: id,
    account,
    store,
    clock,
    random,
    log,
    isOperator,
    files: living.files.intake,
    runtime: lazyRuntime(deps, id, runtimeOf),
    context: thinking.context,
    events: withdrawing(events.worker, withdrawOver),
  });
  if (hooks.signal.aborted) return err(appError('cancelled', 'The start was called off.'));
  try {
    events.onOpened(account, store, handsOf(deps, id, living, thinking));
    events.onBrakes(brakes.list());
    begin(deps, id, living);
    withdrawOver();
  } catch (error) {
    await account.stop();
    throw error;
  }
  const running = worker;
  return ok({
    update: (next) => {
      config = next;
      despiteStore(living.contacts.resume, undefined);
    },
    stop: () => stopAgent(living, running),
  });
}

/** Connects, and continues what the last run left. */
function begin(
  deps: LaunchDeps,
  id: string,
  { account, worker, introductions, contacts, opened }: Living,
): void {
  account().start();
  worker()?.recover();
  introductions.resume();
  contacts.resume();
  for (const message of taskWords(opened.store)) void heedTask(deps, id, opened.store, message);
}

async function stopAgent(living: Living, worker: Worker): Promise<void> {
  const { invites, introductions, contacts, account, opened } = living;
  invites.stop();
  contacts.stop();
  introductions.stop();
  await worker.stop();
  await account().stop();
  opened.store.release();
}
