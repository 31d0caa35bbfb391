import { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromUtf8, utf8 } from '../../core/lib/bytes.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import { createOperatorRevocation } from '../../core/puffo/certificates.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { OpenParts, OperatorSession } from './operator.ts';
import type { PendingRetirement } from './pending-retirements.ts';
import { isRetryableCode } from './retryable-code.ts';

/** Loaded on demand to keep startup fast. */
const loadIdentityFormat = () => import('../../services/vault/plain-identity.ts');

export interface ServerRetirementDeps {
  session(): OperatorSession | null;
  openParts(): Promise<Result<OpenParts>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** `not_here`: it waits for another operator or server. `refused`: repeating it would not help. */
type Revoked = 'revoked' | 'refused' | 'later' | 'not_here';

/** `hand_over_later`: it still owns a space that its operator should get. */
type Left = 'left' | 'later' | 'hand_over_later';

/** Ends an agent at its server after its files are gone. */
export interface ServerRetirement {
  /** Seals the agent's keys for `leave`; `null` while the vault is closed. */
  sealKeys(identity: Identity): Promise<string | null>;
  /** As the agent: leaves its spaces and revokes its device. Anything but `left` should be repeated. */
  leave(pending: PendingRetirement): Promise<Left>;
  /** As its operator: revokes its identity. */
  revoke(pending: PendingRetirement): Promise<Revoked>;
}

/** ms limit for the agent's own calls to its server. */
const leaveLimitMs = 8_000;

/** A server that rejects the keys has them revoked already. */
const isWorthRepeating = (code: string): boolean =>
  code === 'cancelled' || (code !== 'unauthenticated' && isRetryableCode(code));

const unfinished = (error: AppError) => err<Unfinished>({ result: 'later', error });

const label = (slug: string): string => `identity/retirement/${slug}`;

/** ms that this computer's clock is ahead of the server's, or 0. */
function aheadMs(parts: OpenParts, serverUrl: string): number {
  const directory = parts.servers.directory(serverUrl);
  return directory.ok ? Math.max(0, directory.value.skew.aheadMs()) : 0;
}

/** A rate limit must not delay the agent's revocation: a holder of its keys can cause one. */
const handOverResult = ({ code }: AppError): Left => (code === 'rate_limited' ? 'later' : 'hand_over_later');

/**
 * Stops at the first error that is worth repeating: until then the agent needs its device. A refusal for good
 * only skips its step.
 */
async function leaveSpaces(
  account: Pick<Account, 'rooms' | 'refreshRooms' | 'spaces'>,
  operatorSlug: string | null,
): Promise<Result<void, Unfinished>> {
  const fault = (done: Result<void>): AppError | null =>
    !done.ok && isWorthRepeating(done.error.code) ? done.error : null;
  const notListed = fault(await account.refreshRooms());
  if (notListed) return err({ result: 'later', error: notListed });
  const { spaces } = account.rooms();
  for (const { id, role } of spaces) {
    if (role !== 'owner' || operatorSlug === null) continue;
    const kept = fault(await account.spaces.setRole(id, operatorSlug, 'owner'));
    if (kept) return err({ result: handOverResult(kept), error: kept });
  }
  for (const { id } of spaces) {
    const stays = fault(await account.spaces.leave(id));
    if (stays) return err({ result: 'later', error: stays });
  }
  return ok(undefined);
}

interface Unfinished {
  readonly result: Left;
  readonly error: AppError;
}

export function createServerRetirement(deps: ServerRetirementDeps): ServerRetirement {
  const { clock, random, log } = deps;
  const leaveAs = async (
    parts: OpenParts,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<Result<void, Unfinished>> => {
    const [{ createAccountSession }, { createSigningAccount }, { revokeDevice }] = await Promise.all([
      import('../../services/puffo/account-session.ts'),
      import('../../services/puffo/signing-account.ts'),
      import('../../services/puffo/device-enrolment.ts'),
    ]);
    const directory = parts.servers.directory(identity.serverUrl);
    if (!directory.ok) return unfinished(directory.error);
    const { crypto } = parts;
    // The agent's folder is gone, so its signing subkey is kept in memory only.
    const sessions = { load: () => null, save: () => undefined };
    const { requests } = directory.value;
    const session = createAccountSession({ identity, sessions, requests, crypto, clock, log });
    if (signal.aborted) session.end();
    signal.addEventListener('abort', session.end, { once: true });
    const account = createSigningAccount({ session, directory: directory.value, crypto, clock, random });
    const left = await leaveSpaces(account, deps.session()?.self.slug ?? null);
    if (!left.ok) return left;
    const own = { client: account.client, identity, aheadMs: aheadMs(parts, identity.serverUrl) };
    const revoked = await revokeDevice({ crypto, clock }, own, identity.deviceId);
    return revoked.ok ? revoked : unfinished(revoked.error);
  };
  return {
    async sealKeys(identity) {
      const parts = await deps.openParts();
      if (!parts.ok) return null;
      const { identityText } = await loadIdentityFormat();
      const sealed = parts.value.keys.seal(label(identity.slug), utf8(identityText(identity)));
      return sealed.ok ? sealed.value : null;
    },
    async leave({ slug, serverUrl, sealedKeys }) {
      if (sealedKeys === null) return 'left';
      const parts = await deps.openParts();
      if (!parts.ok) return 'later';
      const identity = await unsealKeys(parts.value, slug, sealedKeys);
      if (!identity.ok) {
        log.warn('retired_keys_unreadable', { slug, code: identity.error.code });
        return identity.error.code === 'corrupt' ? 'left' : 'later';
      }
      const ending = new AbortController();
      const timer = clock.after(leaveLimitMs, () => ending.abort(), { unref: true });
      const present = { ...identity.value, serverUrl: parts.value.currentUrl(serverUrl) };
      const left = await leaveAs(parts.value, present, ending.signal)
        .catch((error: unknown) => {
          log.warn('leave_failed', { slug, error });
          return null;
        })
        .finally(() => timer.cancel());
      if (left === null) return 'later';
      if (left.ok) return 'left';
      const { result, error } = left.error;
      log.warn('agent_has_not_left', { slug, code: error.code });
      return isWorthRepeating(error.code) ? result : 'left';
    },
    revoke: (pending) => revokeAsOperator(deps, pending),
  };
}

async function unsealKeys(
  { keys, crypto }: OpenParts,
  slug: string,
  sealed: string,
): Promise<Result<Identity>> {
  const opened = keys.unseal(label(slug), sealed);
  if (!opened.ok) return opened;
  const { parseIdentity } = await loadIdentityFormat();
  return parseIdentity(crypto, fromUtf8(opened.value) ?? '');
}

async function revokeAsOperator(
  { session: operator, openParts, clock, log }: ServerRetirementDeps,
  pending: PendingRetirement,
): Promise<Revoked> {
  const { agentRootPublicKey } = pending;
  if (agentRootPublicKey === null) return 'refused';
  const session = operator();
  if (session === null) return 'not_here';
  const parts = await openParts();
  if (!parts.ok) return 'later';
  if (parts.value.currentUrl(pending.serverUrl) !== session.identity.serverUrl) return 'not_here';
  const { crypto } = parts.value;
  // By the server's clock: a revocation dated in the future would be rejected or take effect late.
  const now = clock.now() - aheadMs(parts.value, session.identity.serverUrl);
  const body = createOperatorRevocation(crypto, crypto.ed25519KeyPair(session.identity.secrets.root), {
    agentRootPublicKey,
    effectiveFrom: Math.min(pending.at, now),
    issuedAt: now,
  });
  const target = `/agents/${encodeURIComponent(pending.slug)}/operator/revoke`;
  const answer = await session.self.account.client.json('POST', target, z.unknown(), { body });
  if (answer.ok) return 'revoked';
  if (isRetryableCode(answer.error.code)) return 'later';
  // Another operator's agent, or a server without this route: the agent itself does what it can.
  log.warn('agent_not_retired', { slug: pending.slug, code: answer.error.code });
  return 'refused';
}
