import { err, ok } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import type { Handlers } from '../dispatch.ts';
import { findInvite, inviteGone } from './find-invite.ts';
import type { OperatorSpaces } from './operator-spaces.ts';
import { viewInvite } from './received-invites.ts';
import { spaceError } from './space-errors.ts';

const mayCancel = say('spaces.mayCancelInvitation');

export interface SentInvitesDeps {
  readonly home: OperatorSpaces;
  /** The display name of a person. */
  nameOf(slug: string): string;
}

export function createSentInvites({
  home,
  nameOf,
}: SentInvitesDeps): Pick<Handlers, 'invites.sent' | 'invites.cancel'> {
  return {
    'invites.sent': async () => {
      const account = home.account();
      if (!account.ok) return account;
      const sent = await account.value.spaces.sentInvites();
      if (!sent.ok) return err(spaceError(sent.error, mayCancel));
      return ok({
        sent: sent.value.map((invite) => ({
          ...viewInvite(invite, nameOf),
          inviteeSlug: invite.inviteeSlug,
          inviteeName: nameOf(invite.inviteeSlug),
        })),
      });
    },
    'invites.cancel': async ({ invite: wanted }) => {
      const account = home.account();
      if (!account.ok) return account;
      const { spaces } = account.value;
      const sent = await spaces.sentInvites();
      if (!sent.ok) return err(spaceError(sent.error, mayCancel));
      const invite = findInvite(sent.value, wanted);
      if (!invite) return err(inviteGone);
      const done = await home.done(spaces.cancelInvite(invite), mayCancel);
      return done.ok ? ok({}) : done;
    },
  };
}
