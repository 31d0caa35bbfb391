/**
 * An account for single requests: signs with the keys of an identity while its account does not run; it neither
 * connects nor keeps messages.
 */
import { err, ok } from '../../contract/result.ts';
import type { Clock, CryptoEngine, Random } from '../../core/ports.ts';
import type { AccountSession } from './account-session.ts';
import type { Account } from './account-types.ts';
import type { ServerDirectory } from './directory.ts';
import { plainError } from './request-error.ts';
import { Rooms } from './rooms.ts';
import { createSpaceActions } from './space-actions.ts';
import { SpaceEvents } from './space-events.ts';

export type SigningAccount = Pick<Account, 'client' | 'answerInvite' | 'rooms' | 'refreshRooms' | 'spaces'>;

export interface SigningAccountDeps {
  readonly session: AccountSession;
  readonly directory: ServerDirectory;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
}

export function createSigningAccount(deps: SigningAccountDeps): SigningAccount {
  const { session, directory, crypto, clock, random } = deps;
  const { identity, client, subkeys } = session;
  const rooms = new Rooms({
    client,
    directory,
    clock,
    watched: false,
    memory: null,
    onRooms: () => undefined,
  });
  const events = new SpaceEvents({ identity, client, subkeys, crypto, clock, random });
  return {
    client,
    spaces: createSpaceActions({ client, events, directory, rooms, clock }),
    rooms: () => rooms.snapshot(),
    refreshRooms: () => rooms.refresh(),
    async answerInvite(invite, accepts) {
      const answered = await events.answer(invite, accepts);
      return answered.ok ? ok(undefined) : err(plainError(answered.error));
    },
  };
}
