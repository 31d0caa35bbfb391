import type { AppError } from '../../contract/errors.ts';
import type { Connection } from '../../contract/model.ts';
import type { Brake } from '../../contract/work.ts';
import type { BrakeThread } from '../../core/agents/brake.ts';
import type { AudiencePort, ReadLog } from '../../core/policy/audience-ports.ts';
import type { AcceptRow, AccountStore } from '../../core/puffo/account-store.ts';
import type { TaskRuntimeOf } from '../../core/runtimes/runtime-adapter.ts';
import type { TurnContext } from '../../core/supervisor/worker-ports.ts';
import type { HostText } from '../../language/host-message.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { FirstContacts } from './first-contacts.ts';
import type { AgentMessaging } from './messaging.ts';

export interface AgentCapabilities {
  /** Ends the open turn of this conversation, or of all if `null`; returns false if no turn is open. */
  stop(threadKey: string | null): boolean;
  /** Continues a thread that the loop brake stopped. */
  goOn(thread: BrakeThread): boolean;
  /** Answers a message again whose turn ended; returns false if none ended. */
  answerAgain(envelopeId: string): boolean;
  /** Other agents continue in this thread; this agent takes part in the new round. */
  joinRound(thread: BrakeThread): void;
  /** Accepts a prompt of the host that needs a turn, once per id. Throws `StoreError`. */
  hear(word: AcceptRow): void;
  /** For programs that act as this agent; loaded on first use. */
  messaging(): Promise<AgentMessaging>;
  readonly taskRuntime: TaskRuntimeOf;
  /** Notice for the agent's next turn; `roomId` is the room that reads about it, or `null`. */
  context(roomId: string | null): Promise<TurnContext>;
  readonly contacts: FirstContacts;
  readonly audience: AudiencePort;
  readonly reads: ReadLog;
}

/** State of a supervised agent. Kept small: a host may have thousands. */
export interface AgentRecord {
  readonly id: string;
  slug: string;
  account: Account | null;
  store: AccountStore | null;
  capabilities: AgentCapabilities | null;
  /** Messages of its open turns. */
  readonly working: Set<string>;
  activity: HostText;
  since: number;
  connection: Connection;
  connectionError: AppError | null;
  /** The last turn failed; cleared by the next successful one, and by a new model. */
  turnError: AppError | null;
  brakes: readonly Brake[];
  /** Senders whose identity key changed; their messages wait until the operator confirms the key. */
  readonly held: Set<string>;
  lastEventAt: number | null;
  /** Cached, because the store is closed most of the time. */
  messageCount: number | null;
  refused: Readonly<Record<string, number>>;
}

export const newPost = (id: string): AgentRecord => ({
  id,
  slug: '',
  account: null,
  store: null,
  capabilities: null,
  working: new Set(),
  activity: '',
  since: 0,
  connection: 'none',
  connectionError: null,
  turnError: null,
  brakes: [],
  held: new Set(),
  lastEventAt: null,
  messageCount: null,
  refused: {},
});
