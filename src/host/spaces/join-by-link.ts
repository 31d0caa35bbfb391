import { type AppError, messageOf, textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { type InviteLink, readSpaceLink } from '../../contract/invite-link.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { withoutEndSlashes } from '../../core/puffo/server-url.ts';
import { say } from '../../language/say.ts';
import type { LookedAtLink } from '../../services/puffo/invite-links.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';
import type { Handlers } from '../dispatch.ts';
import type { Operator } from '../identity/operator.ts';
import type { SignUps } from '../identity/sign-ups.ts';

export interface JoinByLinkDeps {
  readonly operator: Pick<Operator, 'session'>;
  /** `null` in a process that only looks at the data folder. */
  readonly signUps: Pick<SignUps, 'join'> | null;
  /** Whether an address is, or was, the relay of this host: its port changes. */
  isOurRelay(serverUrl: string): boolean;
  refreshRooms(): void;
  readonly clock: Clock;
}

const offline = fail('unavailable', 'host.kennelNotRunning', {}, { help: 'moving.runStart' });

function linkError(error: RequestError, { serverUrl }: InviteLink): AppError {
  if (error.status === null) {
    const details = { help: 'spaces.linkKept' } as const;
    return fail(
      error.code,
      'spaces.linkServerSilent',
      { server: serverUrl, what: messageOf(error) },
      details,
    );
  }
  return textError(error.code, error.serverMessage || say('spaces.linkServerUnfit'));
}

/** A folder has one operator, at one server. */
function checkServer(deps: JoinByLinkDeps, { serverUrl }: InviteLink): Result<void> {
  const own = deps.operator.session()?.record.serverUrl ?? null;
  if (own === null || withoutEndSlashes(own) === serverUrl) return ok(undefined);
  if (deps.isOurRelay(own) && deps.isOurRelay(serverUrl)) return ok(undefined);
  const at = { server: serverUrl, own };
  return err(fail('conflict', 'spaces.linkToOtherServer', at, { help: 'identity.removeDemoFirst' }));
}

async function lookUp(
  deps: JoinByLinkDeps,
  text: string,
): Promise<Result<{ readonly link: InviteLink; readonly to: LookedAtLink }>> {
  const link = readSpaceLink(text);
  if (link === null) return err(fail('invalid_input', 'spaces.notALink', {}, { where: 'link' }));
  // Nothing is sent to a server where the operator could not join.
  const reachable = checkServer(deps, link);
  if (!reachable.ok) return reachable;
  const { lookAtLink } = await import('../../services/puffo/invite-links.ts');
  const to = await lookAtLink(link.serverUrl, link.inviteCode, deps.clock);
  return to.ok ? ok({ link, to: to.value }) : err(linkError(to.error, link));
}

/** Looks at links of other people, and joins their spaces; signs up first if the folder has no operator. */
export function createJoinByLink(deps: JoinByLinkDeps): Pick<Handlers, 'links.look' | 'links.join'> {
  const { operator, signUps } = deps;
  return {
    'links.look': async ({ link: text }) => {
      const found = await lookUp(deps, text);
      if (!found.ok) return found;
      const { linkId: _, ...to } = found.value.to;
      return ok({ ...to, serverUrl: found.value.link.serverUrl, signedUp: operator.session() !== null });
    },
    'links.join': async ({ link: text, username, displayName }) => {
      const found = await lookUp(deps, text);
      if (!found.ok) return found;
      const { link, to } = found.value;
      if (operator.session() === null) {
        if (signUps === null) return err(offline);
        if (username === undefined)
          return err(fail('invalid_input', 'spaces.linkNeedsName', {}, { where: 'username' }));
        const joined = await signUps.join({ ...link, username, displayName: displayName ?? username });
        if (!joined.ok) return joined;
      }
      const session = operator.session();
      if (!session) return err(offline);
      const { account } = session.self;
      const redeemed = await account.links.redeem(link.inviteCode, to);
      if (!redeemed.ok) return err(linkError(redeemed.error, link));
      await account.refreshRooms();
      deps.refreshRooms();
      return ok({ spaceId: to.spaceId, spaceName: to.spaceName, slug: session.self.slug });
    },
  };
}
