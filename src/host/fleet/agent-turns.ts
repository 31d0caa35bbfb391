import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import { longPauseMs } from '../../core/models/provider-gate.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { Clock } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { WorkerWiring } from '../../core/supervisor/agent-worker.ts';
import type { TurnContext, Worker, WorkerEvents } from '../../core/supervisor/worker-ports.ts';
import { createFileIntake, type FileIntakeDeps } from '../files/agent-files.ts';
import type { AgentInbox } from './agent-inbox.ts';
import { sayParked } from './agent-notices.ts';
import type { AgentCapabilities } from './agent-record.ts';
import type { RuntimeFactory } from './agent-runtime.ts';
import { createReadLog } from './audiences.ts';
import type { AgentMessaging } from './messaging.ts';
import type { OpenedAgent } from './open-agent.ts';

export interface ContextOf {
  readonly opened: OpenedAgent;
  readonly audience: AudiencePort;
  config(): AgentConfig;
}

/** Parts of a worker that each agent provides itself. */
export type WorkerParts = Omit<WorkerWiring, 'ports'> & Pick<WorkerWiring['ports'], 'log'>;

export interface AgentTurnsDeps {
  readonly runtimeOf: RuntimeFactory;
  /** Notice for the agent's next turn; `roomId` is the room that reads about it, or `null`. */
  readonly contextOf: (agent: ContextOf, roomId: string | null) => Promise<TurnContext>;
  readonly intake: FileIntakeDeps;
  /** Withdraws the questions of turns that are not open any more. */
  readonly withdrawBut: (agentId: string, goOn: () => ReadonlySet<string>) => void;
  readonly workerOf: (parts: WorkerParts) => Worker;
  readonly clock: Clock;
}

export interface TurnsUse {
  readonly opened: OpenedAgent;
  readonly inbox: AgentInbox;
  readonly events: WorkerEvents;
  config(): AgentConfig;
}

/** Answers an agent's messages in turns. */
export interface AgentTurns {
  readonly worker: Worker;
  readonly capabilities: AgentCapabilities;
  withdrawOver(): void;
  /** Ends the programs of its runtime. */
  close(): Promise<void>;
}

export type TurnsOf = (use: TurnsUse) => AgentTurns;

const openTurnIds = (store: AccountStore): ReadonlySet<string> =>
  new Set(store.openTurns().map(({ turnId }) => turnId));

/** Tells the chat until when a turn waits for the limit of a plan. */
const noticing = (
  inner: WorkerEvents,
  { opened, inbox }: Pick<TurnsUse, 'opened' | 'inbox'>,
  clock: Clock,
): WorkerEvents => ({
  ...inner,
  onRetrying(turn, retry) {
    inner.onRetrying(turn, retry);
    const message = opened.store.message(turn.envelopeIds[0] ?? '');
    if (retry.inMs <= longPauseMs || message === null) return;
    const at = clock.now();
    const speaking = { opened, account: () => inbox.account };
    const under = { message, rootId: turn.rootId };
    despiteStore(() => sayParked(speaking, under, { until: at + retry.inMs, at }), undefined);
  },
});

/** A turn stopped before it resumes at its question ends without withdrawing the question. */
const withdrawing = (inner: WorkerEvents, withdrawOver: () => void): WorkerEvents => ({
  ...inner,
  onTurnEnded(turn, end) {
    inner.onTurnEnded(turn, end);
    despiteStore(withdrawOver, undefined);
  },
});

export const createAgentTurns =
  ({ runtimeOf, contextOf, intake, withdrawBut, workerOf, clock }: AgentTurnsDeps): TurnsOf =>
  ({ opened, inbox, events, config }) => {
    const { id, identity, store, directory, crypto, log, outgoing } = opened;
    const { account, people, brakes } = inbox;
    const { audience, isOperator, contacts } = people;
    const fileIntake = createFileIntake(intake, { id, crypto, config, account: () => account });
    const messaging = async (): Promise<AgentMessaging> => {
      const [
        { createAgentMessaging },
        { createMessageReading },
        { createMessageSending },
        { createChatFiles },
      ] = await Promise.all([
        import('./messaging.ts'),
        import('./message-reading.ts'),
        import('./message-sending.ts'),
        import('../files/chat-files.ts'),
      ]);
      const { profiles } = directory;
      const sending = createMessageSending({ account, store, slug: identity.slug, crypto, clock });
      const reading = createMessageReading({ account, store, profiles, clock });
      const chatFiles = { outgoing, intake: fileIntake };
      const files = createChatFiles({ send: sending.send, store, files: chatFiles });
      return createAgentMessaging({ account, identity, sending, reading, files });
    };
    const { runtime, taskRuntime, close } = runtimeOf({ opened, audience, config, isOperator, messaging });
    const context = (roomId: string | null) => contextOf({ opened, audience, config }, roomId);
    const withdrawOver = (): void => withdrawBut(id, () => openTurnIds(store));
    const worker = workerOf({
      agentId: id,
      account,
      store,
      log,
      sources: { isOperator, files: fileIntake, context },
      runtime,
      events: withdrawing(noticing(events, { opened, inbox }, clock), withdrawOver),
    });
    return {
      worker,
      withdrawOver,
      close,
      capabilities: {
        taskRuntime,
        context,
        audience,
        reads: createReadLog(store),
        contacts,
        stop: (threadKey) => worker.stopTurn(threadKey),
        goOn: inbox.goOn,
        answerAgain: inbox.answerAgain,
        joinRound: (thread) => brakes.joinRound(thread),
        hear: inbox.hear,
        messaging,
      },
    };
  };
