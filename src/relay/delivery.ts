/**
 * Delivers envelopes (spec §1.6) to the devices of a channel's members or of a DM's two sides, and to no
 * others. One envelope id is one message: the same content again gets the same response, other content is
 * refused.
 */

import { ok, type Result } from '../contract/result.ts';
import { say } from '../language/say.ts';
import { contactOf } from './contacts.ts';
import { type Refusal, refuseRequest } from './refusal.ts';
import { isActive } from './registry-routes.ts';
import { notArchived } from './space-change.ts';
import type { DeviceRow, MailRow, NewMailRow, RelayStore } from './store-port.ts';

export interface Delivered {
  readonly seq: number;
  readonly envelopeId: string;
  /** Devices queued by this call, with the JSON text of their `recipients` entry. */
  readonly fresh: readonly { readonly deviceId: string; readonly entry: string }[];
  /** Number of devices that have or had it in their queue. */
  readonly devicesQueued: number;
  /** Devices of the room that the sender did not include. */
  readonly missing: readonly string[];
  /** True if the recipient must allow the sender first. */
  readonly held: boolean;
}

/** The members of the room; the sender must be one of them. */
export function roomSlugs(
  store: RelayStore,
  route: Pick<NewMailRow, 'kind' | 'senderSlug' | 'spaceId' | 'channelId' | 'recipientSlug'>,
): Result<readonly string[], Refusal> {
  if (route.kind === 'dm') {
    if (route.recipientSlug === null) return refuseRequest('InvalidInput', say('relay.recipientNeeded'));
    return store.people.identity(route.recipientSlug)
      ? ok([...new Set([route.senderSlug, route.recipientSlug])])
      : refuseRequest('NOT_FOUND', say('relay.personUnknown', { slug: route.recipientSlug }));
  }
  const channel = route.channelId === null ? null : store.spaces.channel(route.channelId);
  const member = channel !== null && store.spaces.channelMember(channel.channelId, route.senderSlug) !== null;
  if (!channel || channel.spaceId !== route.spaceId || !member) {
    return refuseRequest('FORBIDDEN', say('relay.membersWrite'));
  }
  const open = notArchived(store.spaces.space(channel.spaceId));
  if (!open.ok) return open;
  return ok(store.spaces.channelMembers(channel.channelId).map(({ slug }) => slug));
}

/** Refuses ids that no device of the room has: unknown ones, or devices of others. */
function strangers(
  store: RelayStore,
  devices: ReadonlyMap<string, DeviceRow>,
  ids: readonly string[],
): Result<void, Refusal> {
  const outside = ids.filter((id) => !devices.has(id));
  if (outside.length === 0) return ok(undefined);
  const unknown = outside.filter((id) => store.people.device(id) === null);
  return unknown.length > 0
    ? refuseRequest('DEVICE_NOT_FOUND', say('relay.recipientDeviceUnknown'), { devices: unknown })
    : refuseRequest('FORBIDDEN', say('relay.recipientNotMember'), { devices: outside });
}

export interface DeliveryRequest {
  readonly message: NewMailRow;
  /** By device id, or `null` for plaintext: every active device of the room gets an empty entry. */
  readonly entries: ReadonlyMap<string, string> | null;
  readonly now: number;
  readonly heldPerStranger: number;
}

/** Runs inside a transaction. Silently skips revoked and expired devices. */
export function deliver(store: RelayStore, request: DeliveryRequest): Result<Delivered, Refusal> {
  const { message, now } = request;
  const known = store.mail.message(message.envelopeId);
  if (known && (known.senderSlug !== message.senderSlug || known.digest !== message.digest)) {
    return refuseRequest('CONFLICT', say('relay.envelopeIdTaken'));
  }
  const had = new Set(known?.devices ?? []);
  const slugs = roomSlugs(store, message);
  if (!slugs.ok) return known && adds(request, had).length === 0 ? ok(asBefore(known)) : slugs;
  const roomDevices = new Map(store.people.devicesOf(slugs.value).map((device) => [device.deviceId, device]));
  const active = [...roomDevices.values()].filter((device) => isActive(device, now));
  const entries = request.entries ?? new Map(active.map((device) => [device.deviceId, '']));
  const allowed = strangers(store, roomDevices, adds({ entries }, had));
  if (!allowed.ok) return allowed;
  const fresh = active
    .filter((device) => entries.has(device.deviceId) && !had.has(device.deviceId))
    .map(({ deviceId }) => ({ deviceId, entry: entries.get(deviceId) ?? '' }));
  const devices = [...had, ...fresh.map((row) => row.deviceId)];
  const seq = known?.seq ?? store.mail.addMessage({ ...message, devices });
  if (known && fresh.length > 0) store.mail.setDevices(seq, devices);
  const passed = withoutHeld(store, request, seq, active, fresh);
  for (const { deviceId, entry } of passed) store.mail.queue(deviceId, seq, entry);
  const reached = new Set(devices);
  return ok({
    seq,
    envelopeId: message.envelopeId,
    fresh: passed,
    devicesQueued: devices.length,
    held: isHeld(store, message),
    missing: active.filter((device) => !reached.has(device.deviceId)).map((device) => device.deviceId),
  });
}

const adds = (request: Pick<DeliveryRequest, 'entries'>, had: ReadonlySet<string>): readonly string[] =>
  [...(request.entries?.keys() ?? [])].filter((deviceId) => !had.has(deviceId));

/** For a retry of a sender who has left the room since: the message was accepted, and stays accepted. */
const asBefore = (known: MailRow): Delivered => ({
  seq: known.seq,
  envelopeId: known.envelopeId,
  fresh: [],
  devicesQueued: known.devices.length,
  held: false,
  missing: [],
});

const isHeld = (store: RelayStore, { kind, senderSlug, recipientSlug }: NewMailRow): boolean =>
  kind === 'dm' && recipientSlug !== null && contactOf(store, senderSlug, recipientSlug) !== 'open';

/** Holds the messages of a stranger, drops excess and blocked ones, and returns what is delivered now. */
function withoutHeld(
  store: RelayStore,
  { message, heldPerStranger }: DeliveryRequest,
  seq: number,
  active: readonly DeviceRow[],
  fresh: Delivered['fresh'],
): Delivered['fresh'] {
  const { senderSlug, recipientSlug } = message;
  if (recipientSlug === null || !isHeld(store, message)) return fresh;
  const theirs = new Set(active.filter(({ slug }) => slug === recipientSlug).map(({ deviceId }) => deviceId));
  const room =
    store.contacts.isHeld(seq) || store.contacts.heldOf(recipientSlug, senderSlug) < heldPerStranger;
  if (room && contactOf(store, senderSlug, recipientSlug) === 'hold') {
    for (const { deviceId, entry } of fresh) {
      if (theirs.has(deviceId)) store.contacts.hold(recipientSlug, senderSlug, { deviceId, seq, entry });
    }
  }
  return fresh.filter(({ deviceId }) => !theirs.has(deviceId));
}
