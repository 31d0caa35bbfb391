import type { AccountStore } from '../../core/ports.ts';
import type { Account } from '../../services/puffo/account-types.ts';

/** The operator as a participant in the chat. */
export interface ChatSelf {
  readonly slug: string;
  readonly displayName: string;
  readonly account: Account;
  readonly store: AccountStore;
}
