import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { OutgoingStore } from '../../services/files/outgoing-files.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { Identities } from '../../services/puffo/identities.ts';
import type { ReadAttachment } from '../files/read-attachment.ts';

export interface ChatSelf {
  readonly slug: string;
  readonly displayName: string;
  readonly account: Account;
  readonly store: AccountStore;
  /** Of all accounts on the same server. */
  readonly identities: Pick<Identities, 'trust'>;
  readonly files: { readonly outgoing: OutgoingStore; readonly read: ReadAttachment };
}
