import type { Brake as BrakeView } from '../../contract/work.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { BrakeThread } from '../../core/agents/brake.ts';
import { threadKeyOf } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';
import type { AcceptRow, TriggerDecision } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { stopReason } from '../../core/supervisor/resumed-turns.ts';
import { upToEachStop } from '../../core/supervisor/stop-order.ts';
import type { Worker } from '../../core/supervisor/worker-ports.ts';
import { englishText } from '../../language/host-message.ts';
import type { Account, AccountEvents } from '../../services/puffo/account-types.ts';
import type { AgentArrivals, ArrivalsOf } from './agent-arrivals.ts';
import { sayLimited, sayStopped, sendersOf } from './agent-notices.ts';
import type { AgentPeople, PeopleOf } from './agent-people.ts';
import { AgentBrakes } from './brakes.ts';
import { createChatCommands } from './chat-commands.ts';
import { takeOwnWord } from './host-prompts.ts';
import { createDecide, createTurnDecision } from './message-decision.ts';
import type { AgentAccounts, OpenedAgent } from './open-agent.ts';
import { heedTask, pendingTaskCommands, taskReason } from './pending-task-commands.ts';
import type { SenderLimits } from './sender-limits.ts';

/** Commands of the operator in messages that the agent’s model does not see. */
export interface OperatorCommands {
  /** Whether a message to the agent answers a question of the operator; the answer takes effect at once. */
  interceptConsent(agentId: string, message: StoredMessage): { readonly reason: 'consent' } | null;
  /** Carries out a command once, also after a crash; returns false if it is not possible now. */
  heedTask(agentId: string, message: StoredMessage): Promise<boolean>;
}

export interface AgentInboxDeps {
  readonly accounts: Pick<AgentAccounts, 'connect'>;
  readonly peopleOf: PeopleOf;
  readonly arrivalsOf: ArrivalsOf;
  readonly commands: OperatorCommands;
  readonly clock: Clock;
  /** `limits` of daemon.yml. */
  limits(): { readonly agent_turns: number; readonly sender_messages: number };
}

export interface InboxEvents extends Pick<AccountEvents, 'onConnection' | 'onAccepted' | 'onRefused'> {
  onBrakes(brakes: readonly BrakeView[]): void;
  /** A thread was stopped by the loop brake. */
  onBraked(): void;
  /** A sender reached the hourly limit; `until` is in ms since the epoch. */
  onSenderLimit(slug: string, until: number): void;
  onHeld(senderSlug: string, envelopeId: string): void;
}

export interface InboxUse {
  readonly opened: OpenedAgent;
  readonly events: InboxEvents;
  config(): AgentConfig;
  /** `null` until the worker is made. */
  worker(): Worker | null;
}

/** Receives an agent's messages: decides which need a turn, and carries out those that are commands. */
export interface AgentInbox {
  readonly account: Account;
  readonly people: AgentPeople;
  readonly brakes: AgentBrakes;
  /** Continues a thread that the loop brake stopped; returns false if none is stopped. */
  goOn(thread: BrakeThread): boolean;
  /** Answers a message again whose turn ended; returns false if none ended. Throws `StoreError`. */
  answerAgain(envelopeId: string): boolean;
  /** Accepts a prompt of the host that needs a turn, once per id. Throws `StoreError`. */
  hear(word: AcceptRow): void;
  /** Connects, and continues what the last run left. */
  begin(): void;
  stop(): void;
}

export type InboxOf = (use: InboxUse) => AgentInbox;

interface Receiving extends InboxUse {
  readonly deps: AgentInboxDeps;
  readonly people: AgentPeople;
  readonly arrivals: AgentArrivals;
  readonly brakes: AgentBrakes;
  readonly senders: SenderLimits;
  account(): Account;
}

export const createAgentInbox =
  (deps: AgentInboxDeps): InboxOf =>
  (use) => {
    const { opened, events, config, worker } = use;
    const inUse = {
      config,
      account: () => account,
      accepted: (messages: readonly StoredMessage[]) => worker()?.accepted(messages),
    };
    const people = deps.peopleOf(opened, inUse);
    const brakes = new AgentBrakes({
      agentId: opened.id,
      store: opened.store,
      isAgent: people.isAgent,
      onChanged: events.onBrakes,
      limit: () => deps.limits().agent_turns,
    });
    const receiving: Receiving = {
      ...use,
      deps,
      people,
      arrivals: deps.arrivalsOf(opened, inUse),
      brakes,
      senders: sendersOf(deps, opened, people.audience),
      account: () => account,
    };
    const account: Account = deps.accounts.connect(opened, {
      decide: decideOf(receiving),
      events: accountEvents(receiving),
    });
    return {
      account,
      people,
      brakes,
      goOn: (thread) => goOn(receiving, thread),
      answerAgain: (envelopeId) => answerAgain(receiving, envelopeId),
      hear: (word) => hear(receiving, word),
      begin: () => begin(receiving),
      stop: () => stop(receiving),
    };
  };

/** Built with the first message. */
function decideOf(receiving: Receiving): (message: StoredMessage) => TriggerDecision {
  let decide: ReturnType<typeof createDecide> | null = null;
  return (message) => {
    decide ??= buildDecide(receiving);
    return decide(message);
  };
}

function buildDecide({ deps, opened, people, brakes, senders, account, config, worker }: Receiving) {
  const { id, identity, store } = opened;
  const { slug } = identity;
  const { isAgent, contacts } = people;
  return createDecide({
    brakes,
    commandOf: createChatCommands({
      slug,
      store,
      brakes,
      people,
      intercept: (message) => deps.commands.interceptConsent(id, message),
      working: (threadKey) => worker()?.working(threadKey) ?? false,
    }),
    decideTurn: createTurnDecision({ slug, brakes, contacts, config, now: deps.clock.now, isAgent }),
    senders,
    store,
    membersOf: (channelId) => account().members(channelId),
  });
}

function accountEvents(receiving: Receiving): AccountEvents {
  const { opened, events, brakes, arrivals, worker } = receiving;
  const { store, log } = opened;
  return {
    onConnection: events.onConnection,
    onAccepted: (messages) => {
      const isStop = ({ envelopeId }: StoredMessage): boolean =>
        despiteStore(() => store.decision(envelopeId)?.reason === stopReason, false);
      for (const piece of upToEachStop(messages, isStop)) {
        worker()?.accepted(piece);
        despiteStore(() => heed(receiving, piece), undefined);
      }
      events.onAccepted(messages);
    },
    onOutbox: (envelopeId, state, error) => {
      if (state === 'failed') log.warn('message_not_sent', { envelopeId, error: englishText(error ?? '') });
      // The agent's own messages count for the loop brake.
      const said = state === 'sent' ? despiteStore(() => store.message(envelopeId), null) : null;
      if (said) brakes.observe(said);
    },
    onRefused: events.onRefused,
    onRooms: () => undefined,
    onProcessing: () => undefined,
    onHeld: ({ senderSlug, envelopeId }) => events.onHeld(senderSlug, envelopeId),
    onInvites: (waiting) => arrivals.invites.heard(waiting),
    onJoined: (joined) => despiteStore(() => arrivals.introductions.joined(joined), undefined),
    onStoreFault: (error) => log.error('store_fault', { code: error.code, message: error.message }),
  };
}

/** Carries out commands in messages that the model does not see, once they are stored. */
function heed(receiving: Receiving, messages: readonly StoredMessage[]): void {
  const { deps, opened, events, people, brakes, worker } = receiving;
  const { id, store } = opened;
  for (const message of messages) {
    const rootId = threadRootOf(message, (id) => store.message(id));
    switch (store.decision(message.envelopeId)?.reason) {
      case stopReason:
        worker()?.stopTurn(threadKeyOf(message.roomId, rootId));
        break;
      case taskReason:
        void heedTask(deps.commands, id, store, message);
        break;
      case 'continue':
        goOn(receiving, { roomId: message.roomId, rootId });
        break;
      case 'first_contact':
        people.contacts.stored(message.senderSlug);
        break;
      case 'sender_limit': {
        const until = sayLimited(deps, receiving, { message, rootId });
        if (until !== null) events.onSenderLimit(message.senderSlug, until);
        break;
      }
      case 'agent_brake':
        if (!brakes.stoppedBy(message)) break;
        sayStopped(deps.clock, receiving, { message, rootId });
        events.onBraked();
        break;
      default:
    }
  }
}

function goOn({ opened, brakes, worker }: Receiving, thread: BrakeThread): boolean {
  const heldBack = brakes.goOn(thread);
  if (!heldBack) return false;
  const { store } = opened;
  for (const id of heldBack) store.reopen(id, 'continued');
  worker()?.accepted(heldBack.flatMap((id) => store.message(id) ?? []));
  return true;
}

function answerAgain({ opened: { store }, worker }: Receiving, envelopeId: string): boolean {
  const message = store.message(envelopeId);
  if (message === null || !store.askAgain(envelopeId)) return false;
  worker()?.accepted([message]);
  return true;
}

function hear(receiving: Receiving, word: AcceptRow): void {
  const { deps, opened, brakes, worker } = receiving;
  const taken = takeOwnWord({ store: opened.store, brakes, now: deps.clock.now }, word);
  worker()?.accepted(taken);
  heed(receiving, taken);
}

function begin({ deps, opened, account, worker, arrivals, people }: Receiving): void {
  account().start();
  worker()?.recover();
  arrivals.resume();
  people.contacts.resume();
  for (const message of pendingTaskCommands(opened.store))
    void heedTask(deps.commands, opened.id, opened.store, message);
}

function stop({ arrivals, people }: Receiving): void {
  arrivals.invites.stop();
  people.contacts.stop();
  arrivals.introductions.stop();
}
