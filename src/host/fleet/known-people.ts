import { dmRoomId } from '../../contract/room-id.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { Members } from '../../services/puffo/members.ts';

export interface AcquaintancesDeps {
  readonly slug: string;
  readonly store: Pick<AccountStore, 'queries'>;
  readonly members: Pick<Members, 'of' | 'remembered'>;
  account(): Pick<Account, 'client' | 'rooms' | 'refreshRooms'>;
  hasOperatorWrittenTo(slug: string): boolean;
}

/** People that an agent knows without a decision of the operator. */
export interface Acquaintances {
  /** True if the agent or operator wrote to them before, or a cached member list has them. */
  isKnown(slug: string): boolean;
  /** Asks the server for member lists; false if it cannot be reached. */
  sharesChannel(slug: string): Promise<boolean>;
}

const membersMaxAgeMs = 60_000;

export function createAcquaintances(deps: AcquaintancesDeps): Acquaintances {
  const { store, members, account } = deps;
  return {
    isKnown(slug) {
      if (store.queries.hasFrom(dmRoomId(slug), deps.slug) || deps.hasOperatorWrittenTo(slug)) return true;
      const { channels } = account().rooms();
      return channels.some(({ id }) => members.remembered(id).some((member) => member.slug === slug));
    },
    async sharesChannel(slug) {
      await account().refreshRooms();
      for (const { id, spaceId } of account().rooms().channels) {
        const list = await members.of(account().client, spaceId, id, membersMaxAgeMs);
        if (list.ok && list.value.some((member) => member.slug === slug)) return true;
      }
      return false;
    },
  };
}
