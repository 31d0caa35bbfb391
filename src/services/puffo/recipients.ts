/**
 * The devices that a message must be encrypted for: all active, verified devices of everyone in the room,
 * including the sender's own. A member whose root key changed or whose certificates are invalid stops the
 * message (T7); a device that is not chained to its owner's root is skipped and counted.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { RecipientDevice } from '../../core/puffo/envelope.ts';
import { activeDevices, type VerifiedIdentity } from '../../core/puffo/registry.ts';
import type { Distrust } from '../../core/puffo/sender-identities.ts';
import type { Identities } from './identities.ts';
import type { Members } from './members.ts';
import { isTransient, plainError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

export interface SendFault {
  readonly error: AppError;
  /** True if a retry may succeed; otherwise the message has failed. */
  readonly transient: boolean;
}

export type SendRoute =
  | { readonly kind: 'channel'; readonly spaceId: string; readonly channelId: string }
  | { readonly kind: 'dm'; readonly recipientSlug: string };

export interface RecipientsDeps {
  readonly ownSlug: string;
  readonly client: SignedClient;
  readonly identities: Identities;
  readonly members: Members;
  readonly clock: Clock;
  onGhostDevice(slug: string, reason: string): void;
}

/** Maximum age of cached data for sending; the server's frames and `missing_devices` shorten it. */
const membersMaxAgeMs = 5 * 60_000;
const certificatesMaxAgeMs = 10 * 60_000;

const fault = (error: AppError, transient: boolean): Result<never, SendFault> => err({ error, transient });

export class Recipients {
  readonly #deps: RecipientsDeps;
  readonly #countedGhosts = new Set<string>();

  constructor(deps: RecipientsDeps) {
    this.#deps = deps;
  }

  /** `fresh` queries the server for members and certificates regardless of the cache. */
  async devices(route: SendRoute, fresh: boolean): Promise<Result<readonly RecipientDevice[], SendFault>> {
    const slugs = await this.#slugs(route, fresh);
    if (!slugs.ok) return slugs;
    const maxAge = fresh ? 0 : certificatesMaxAgeMs;
    const found = await Promise.all(slugs.value.map((slug) => this.#deps.identities.verified(slug, maxAge)));
    const identities: VerifiedIdentity[] = [];
    for (const identity of found) {
      if (identity.ok) identities.push(identity.value);
      else if (identity.error.kind !== 'unknown' || route.kind === 'dm') return this.#blocked(identity.error);
    }
    for (const identity of identities) this.#countGhosts(identity);
    return this.#active(route, identities);
  }

  async #slugs(route: SendRoute, fresh: boolean): Promise<Result<readonly string[], SendFault>> {
    const { ownSlug, members, client } = this.#deps;
    if (route.kind === 'dm') return ok([...new Set([route.recipientSlug, ownSlug])]);
    const list = await members.of(client, route.spaceId, route.channelId, fresh ? 0 : membersMaxAgeMs);
    if (!list.ok) return fault(plainError(list.error), isTransient(list.error));
    return ok([...new Set([...list.value.map(({ slug }) => slug), ownSlug])]);
  }

  #blocked(distrust: Distrust): Result<never, SendFault> {
    return fault(distrust.error, distrust.kind === 'unavailable');
  }

  #countGhosts(identity: VerifiedIdentity): void {
    for (const { seq, kind, reason } of identity.refused) {
      const key = `${identity.slug} ${seq}`;
      if (kind !== 'device_cert' || this.#countedGhosts.has(key)) continue;
      this.#countedGhosts.add(key);
      this.#deps.onGhostDevice(identity.slug, reason);
    }
  }

  #active(
    route: SendRoute,
    identities: readonly VerifiedIdentity[],
  ): Result<readonly RecipientDevice[], SendFault> {
    const now = this.#deps.clock.now();
    const devices = identities.map((identity) => ({ identity, active: activeDevices(identity, now) }));
    const mute = devices.find(({ active }) => active.length === 0);
    if (route.kind === 'dm' && mute) {
      return fault(fail('not_found', 'server.recipientWithoutDevice', { slug: mute.identity.slug }), false);
    }
    return ok(
      devices.flatMap(({ active }) =>
        active.map(({ deviceId, kemPublicKey }) => ({ deviceId, kemPublicKey })),
      ),
    );
  }
}
