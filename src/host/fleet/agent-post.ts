import type { AppError } from '../../contract/errors.ts';
import type { Connection } from '../../contract/model.ts';
import type { AccountStore } from '../../core/ports.ts';
import type { Account } from '../../services/puffo/account-types.ts';

/** What is known about an agent while it is being supervised; one small object each. */
export interface AgentPost {
  readonly id: string;
  slug: string;
  account: Account | null;
  store: AccountStore | null;
  /** Messages of the turn it is in. */
  readonly working: Set<string>;
  activity: string;
  since: number;
  connection: Connection;
  connectionError: AppError | null;
  /** The last turn failed and none has succeeded since. */
  turnError: AppError | null;
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
  working: new Set(),
  activity: '',
  since: 0,
  connection: 'none',
  connectionError: null,
  turnError: null,
  held: new Set(),
  lastEventAt: null,
  messageCount: null,
  refused: {},
});
