import type { AppError } from '../../contract/errors.ts';
import type { Connection } from '../../contract/model.ts';
import type { Brake } from '../../contract/work.ts';
import type { BrakeThread } from '../../core/agents/brake.ts';
import type { AudiencePort, ReadLog } from '../../core/audience-ports.ts';
import type { AcceptRow, AccountStore } from '../../core/ports.ts';
import type { TurnContext } from '../../core/supervisor/worker-ports.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { ChatLocalDeps } from '../../services/runtimes/runtime-ports.ts';
import type { FirstContacts } from './first-contacts.ts';
import type { AgentMessaging } from './messaging.ts';

/** What can be done with an agent that runs. */
export interface AgentHands {
  /** Ends the turn that is open in this conversation, or all of them (null). False: none is open there. */
  stop(threadKey: string | null): boolean;
  /** Lets a thread that stands still go on. */
  goOn(thread: BrakeThread): boolean;
  /** Others were let go on there: it takes part in their round. */
  joinRound(thread: BrakeThread): void;
  /** A word of the host's own, which wants a turn; once under its id. Throws `StoreError`. */
  hear(word: AcceptRow): void;
  /** For programs that work as this agent; loaded with the first of them. */
  messaging(): Promise<AgentMessaging>;
  /** What it thinks and acts with, for work that is no turn of a chat. */
  thinking(): Promise<ChatLocalDeps>;
  /** Notice for the agent's next turn; `roomId` is the room that reads about it, or `null`. */
  context(roomId: string | null): Promise<TurnContext>;
  readonly contacts: FirstContacts;
  readonly audience: AudiencePort;
  readonly reads: ReadLog;
}

/** What is known about an agent while it is being supervised; one small object each. */
export interface AgentPost {
  readonly id: string;
  slug: string;
  account: Account | null;
  store: AccountStore | null;
  hands: AgentHands | null;
  /** Messages of the turns it is in. */
  readonly working: Set<string>;
  activity: string;
  since: number;
  connection: Connection;
  connectionError: AppError | null;
  /** The last turn failed and none has succeeded since. */
  turnError: AppError | null;
  /** Where it stands still because of the brake. */
  brakes: readonly Brake[];
  /** Senders whose identity key changed: what they wrote is held back until the operator knows why. */
  readonly held: Set<string>;
  lastEventAt: number | null;
  /** Cached from the store, which is closed most of the time. */
  messageCount: number | null;
  /** Envelopes refused, by reason. */
  refused: Readonly<Record<string, number>>;
}

export const newPost = (id: string): AgentPost => ({
  id,
  slug: '',
  account: null,
  store: null,
  hands: null,
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
