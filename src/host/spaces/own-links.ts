import { textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { spaceLink } from '../../contract/invite-link.ts';
import { err, ok } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';
import type { Handlers } from '../dispatch.ts';
import type { OperatorSpaces } from './operator-spaces.ts';
import { spaceError } from './space-errors.ts';

const mayMakeLinks = say('spaces.mayMakeLinks');
const dayMs = 86_400_000;

export interface OwnLinksDeps {
  readonly home: OperatorSpaces;
  /** The operator's server, or `null` while not signed in. */
  serverUrl(): string | null;
  /** The display name of a person. */
  nameOf(slug: string): string;
  readonly clock: Clock;
}

/** A quota has its own reason; every other refusal is about rights. */
const linkError = (error: RequestError) =>
  error.serverCode === 'QUOTA_EXCEEDED' && error.serverMessage
    ? textError('conflict', error.serverMessage)
    : spaceError(error, mayMakeLinks);

/** The operator's invite links to spaces; the link itself is returned once, because the server has its hash only. */
export function createOwnLinks(
  deps: OwnLinksDeps,
): Pick<Handlers, 'links.create' | 'links.list' | 'links.revoke'> {
  const { home, clock, nameOf } = deps;
  return {
    'links.create': async ({ space, days, uses }) => {
      const account = home.account();
      if (!account.ok) return account;
      const found = await home.space(space);
      if (!found.ok) return found;
      const expiresAt = days === null ? null : clock.now() + days * dayMs;
      const made = await account.value.links.create(found.value.id, { expiresAt, maxUses: uses });
      if (!made.ok) return err(linkError(made.error));
      const { linkId, secret } = made.value;
      const serverUrl = deps.serverUrl() ?? '';
      return ok({ id: linkId, link: spaceLink({ serverUrl, inviteCode: secret }), expiresAt, serverUrl });
    },
    'links.list': async ({ space }) => {
      const account = home.account();
      if (!account.ok) return account;
      const found = await home.space(space);
      if (!found.ok) return found;
      const links = await account.value.links.list(found.value.id);
      if (!links.ok) return err(linkError(links.error));
      return ok({
        links: links.value.map(({ linkId, ...link }) => ({
          ...link,
          id: linkId,
          inviterName: nameOf(link.inviterSlug),
        })),
      });
    },
    'links.revoke': async ({ space, link: wanted }) => {
      const account = home.account();
      if (!account.ok) return account;
      const found = await home.space(space);
      if (!found.ok) return found;
      const { links } = account.value;
      const known = await links.list(found.value.id);
      if (!known.ok) return err(linkError(known.error));
      const named = known.value.filter(({ linkId }) => linkId.startsWith(wanted));
      const [link] = named;
      if (!link || named.length > 1)
        return err(fail('not_found', 'spaces.unknownLink', {}, { where: 'link' }));
      const revoked = await links.revoke(found.value.id, link.linkId);
      return revoked.ok ? ok({}) : err(linkError(revoked.error));
    },
  };
}
