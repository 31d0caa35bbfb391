/** An account without a server: slugs from a table, and a record of everything the worker reported. */
import type { AccountPort, AccountStatus, ProcessingRun } from '../../src/core/puffo/account-port.ts';
import type { PersonProfile } from '../../src/core/puffo/registry-store.ts';

export interface FakeAccount extends AccountPort {
  readonly statuses: AccountStatus[];
  readonly started: { readonly runId: string; readonly messageId: string }[];
  readonly ended: (readonly ProcessingRun[])[];
  kicks: number;
}

export function createFakeAccount(slug: string, people: readonly Partial<PersonProfile>[] = []): FakeAccount {
  const account: FakeAccount = {
    slug,
    rootPublicKey: 'A'.repeat(43),
    statuses: [],
    started: [],
    ended: [],
    kicks: 0,
    kickOutbox: () => {
      account.kicks += 1;
    },
    person: async (wanted) => ({
      slug: wanted,
      displayName: wanted,
      avatarUrl: '',
      role: '',
      roleShort: '',
      agent: false,
      ...people.find((person) => person.slug === wanted),
    }),
    spaceName: (id) => (id === 'sp_1' ? 'Team' : id),
    channelName: (id) => (id === 'ch_1' ? 'general' : id),
    members: () => [],
    setStatus: (status) => {
      account.statuses.push(status);
    },
    processingStarted: (run) => {
      account.started.push(run);
    },
    processingEnded: (runs) => {
      account.ended.push(runs);
    },
  };
  return account;
}
