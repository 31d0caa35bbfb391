import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { Handlers } from '../dispatch.ts';
import { findInvite, inviteGone } from './find-invite.ts';
import type { OperatorSpaces } from './operator-spaces.ts';
import { type ReceivedInvites, viewInvite } from './received-invites.ts';

/** ms that a listing waits at most for the server. */
const lookMs = 600;
const pollMs = 20;

export interface ReceivedInviteDeps {
  readonly home: OperatorSpaces;
  readonly invites: ReceivedInvites;
  readonly clock: Clock;
  /** The display name of a person. */
  nameOf(slug: string): string;
  refreshRooms(): void;
}

export function createReceivedInviteHandlers(
  deps: ReceivedInviteDeps,
): Pick<Handlers, 'invites.list' | 'invites.answer'> {
  const { home, invites, clock } = deps;
  const lookAgain = async (account: Account, found: () => boolean): Promise<void> => {
    account.lookAtInvites();
    const end = clock.monotonic() + lookMs;
    while (!found() && clock.monotonic() < end) {
      await new Promise<void>((resolve) => clock.after(pollMs, resolve));
    }
  };
  return {
    'invites.list': async () => {
      const account = home.account();
      if (!account.ok) return account;
      await lookAgain(account.value, () => invites.all().length > 0);
      const online = account.value.connection().state === 'online';
      return ok({
        received: invites.all().map((invite) => viewInvite(invite, deps.nameOf)),
        note: online ? '' : say('spaces.listFromBefore'),
      });
    },
    'invites.answer': async ({ invite: wanted, accept }) => {
      const account = home.account();
      if (!account.ok) return account;
      const find = () => findInvite(invites.all(), wanted);
      if (find() === null) await lookAgain(account.value, () => find() !== null);
      const invite = find();
      if (!invite) return err(inviteGone);
      const answered = await account.value.answerInvite(invite, accept);
      const over = !answered.ok && ['not_found', 'conflict'].includes(answered.error.code);
      if (answered.ok || over) invites.answered(invite.eventId);
      if (over)
        return err(
          fail('not_found', 'spaces.bothReasons', {
            why: inviteGone.message,
            why2: messageOf(answered.error),
          }),
        );
      if (!answered.ok) return answered;
      if (accept) await account.value.refreshRooms();
      deps.refreshRooms();
      return ok({});
    },
  };
}
