/** Live frames about changes of registry and rooms (spec §2.5, §11.3); sent only after the commit. */
import type { RelayContext } from './context.ts';
import type { SpaceEventRow } from './store-port.ts';

export interface CertNews {
  readonly seq: number;
  readonly kind: string;
  readonly cert: string;
}

/** The slugs that learn of this identity's certificates. */
export function certAudience({ store }: RelayContext, slug: string): readonly string[] {
  return [slug, ...store.spaces.companions(slug), ...store.contacts.correspondents(slug)];
}

/**
 * Sent to everyone who shares a space or has exchanged direct messages. Subkeys are not announced: they
 * change every two days on every device, and a reader looks up an unknown one.
 */
export function announceCert(
  context: RelayContext,
  slug: string,
  news: CertNews,
  audience = certAudience(context, slug),
): void {
  if (news.kind === 'subkey_cert') return;
  context.hub.sendToSlugs(audience, {
    type: 'cert_update',
    entry: { seq: news.seq, kind: news.kind, slug, cert: JSON.parse(news.cert) as unknown },
  });
}

/** Sends a space event to those who may see it. */
export function announceEvent(context: RelayContext, event: SpaceEventRow, audience: Iterable<string>): void {
  context.hub.sendToSlugs(audience, {
    type: 'event',
    scope: event.channelId === null ? 'space' : 'channel',
    event: JSON.parse(event.event) as unknown,
  });
}

export function announceMembership(context: RelayContext, spaceId: string, audience: Iterable<string>): void {
  context.hub.sendToSlugs(audience, { type: 'space_membership_changed', space_id: spaceId });
}

export function announceChannel(
  context: RelayContext,
  spaceId: string,
  channelId: string,
  audience: Iterable<string>,
): void {
  context.hub.sendToSlugs(audience, { type: 'channel_update', space_id: spaceId, channel_id: channelId });
}
