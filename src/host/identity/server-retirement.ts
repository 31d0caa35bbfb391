import { z } from 'zod';
import { ok, type Result } from '../../contract/result.ts';
import { fromUtf8, utf8 } from '../../core/lib/bytes.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import { createOperatorRevocation } from '../../core/puffo/certificates.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { OpenParts, OperatorSession } from '../operator.ts';
import { mayHeal } from './may-heal.ts';
import type { PendingRetirement } from './pending-retirements.ts';

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

/** Ends an agent at its server after its files are gone. */
export interface ServerRetirement {
  /** Seals the agent's keys for `leave`; `null` while the vault is closed. */
  sealKeys(identity: Identity): Promise<string | null>;
  /** As the agent: leaves its spaces and revokes its device. Returns false if it should be repeated. */
  leave(pending: PendingRetirement): Promise<boolean>;
  /** As its operator: revokes its identity. */
  revoke(pending: PendingRetirement): Promise<Revoked>;
}

/** ms limit for the agent's own calls to its server. */
const leaveLimitMs = 8_000;

/** A server that rejects the keys has them revoked already. */
const isWorthRepeating = (code: string): boolean =>
  code === 'cancelled' || (code !== 'unauthenticated' && mayHeal(code));

const label = (slug: string): string => `identity/retirement/${slug}`;

/** ms that this computer's clock is ahead of the server's, or 0. */
function aheadMs(parts: OpenParts, serverUrl: string): number {
  const directory = parts.servers.directory(serverUrl);
  return directory.ok ? Math.max(0, directory.value.skew.aheadMs()) : 0;
}

/**
 * Stops at the first error that is worth repeating and returns it: until then the agent needs its device. A
 * refusal for good only skips its step.
 */
async function leaveSpaces(
  account: Pick<Account, 'rooms' | 'refreshRooms' | 'spaces'>,
  operatorSlug: string | null,
): Promise<Result<void>> {
  const mustRepeat = (done: Result<void>): boolean => !done.ok && isWorthRepeating(done.error.code);
  const listed = await account.refreshRooms();
  if (mustRepeat(listed)) return listed;
  for (const { id, role } of account.rooms().spaces) {
    if (role === 'owner' && operatorSlug !== null) {
      const handedOver = await account.spaces.setRole(id, operatorSlug, 'owner');
      if (mustRepeat(handedOver)) return handedOver;
    }
    const left = await account.spaces.leave(id);
    if (mustRepeat(left)) return left;
  }
  return ok(undefined);
}

export function createServerRetirement(deps: ServerRetirementDeps): ServerRetirement {
  const { clock, random, log } = deps;
  const leaveAs = async (
    parts: OpenParts,
    identity: Identity,
    signal: AbortSignal,
  ): Promise<Result<void>> => {
    const [{ createSigningAccount }, { revokeDevice }] = await Promise.all([
      import('../../services/puffo/signing-account.ts'),
      import('../../services/puffo/device-enrolment.ts'),
    ]);
    const directory = parts.servers.directory(identity.serverUrl);
    if (!directory.ok) return directory;
    const { crypto } = parts;
    // The agent's folder is gone, so its signing subkey is kept in memory only.
    const sessions = { load: () => null, save: () => undefined };
    const shared = { crypto, clock, random, log, signal };
    const account = createSigningAccount({ ...shared, identity, directory: directory.value, sessions });
    const left = await leaveSpaces(account, deps.session()?.self.slug ?? null);
    if (!left.ok) return left;
    const own = { client: account.client, identity, aheadMs: aheadMs(parts, identity.serverUrl) };
    return revokeDevice({ crypto, clock }, own, identity.deviceId);
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
      if (sealedKeys === null) return true;
      const parts = await deps.openParts();
      if (!parts.ok) return false;
      const identity = await unsealKeys(parts.value, slug, sealedKeys);
      if (!identity.ok) {
        log.warn('retired_keys_unreadable', { slug, code: identity.error.code });
        return identity.error.code === 'corrupt';
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
      if (left === null) return false;
      if (left.ok) return true;
      log.warn('agent_has_not_left', { slug, code: left.error.code });
      return !isWorthRepeating(left.error.code);
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
  if (mayHeal(answer.error.code)) return 'later';
  // Another operator's agent, or a server without this route: the agent itself does what it can.
  log.warn('agent_not_retired', { slug: pending.slug, code: answer.error.code });
  return 'refused';
}
