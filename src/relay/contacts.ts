/**
 * Permissions for direct messages (spec §11.4). A recipient who opted in has a stranger's first messages held
 * here until they accept; the sender learns that the message is held, never if it was seen or refused.
 */

import { z } from 'zod';
import { ok } from '../contract/result.ts';
import { say } from '../language/say.ts';
import { answer, type Caller, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { messageFrame } from './message-frames.ts';
import { refuseRequest } from './refusal.ts';
import type { HeldEntry, IdentityRow, NewMailRow, RelayStore } from './store-port.ts';

/** An operator and their agents, and agents of one operator, are not strangers. */
function ofOneHouse(a: IdentityRow | null, b: IdentityRow | null): boolean {
  if (!a || !b) return false;
  const houseOf = ({ operatorSlug, slug }: IdentityRow): string => operatorSlug ?? slug;
  return houseOf(a) === houseOf(b);
}

/** Decides what happens to a direct message from `sender`. */
export function contactOf(store: RelayStore, sender: string, recipient: string): 'open' | 'hold' | 'block' {
  if (sender === recipient) return 'open';
  const { contacts, people } = store;
  const verdict = contacts.verdict(recipient, sender);
  if (verdict !== null) return verdict === 'block' ? 'block' : 'open';
  if (!contacts.holds(recipient) || contacts.hasWritten(recipient, sender)) return 'open';
  const reader = people.identity(recipient);
  // Clients from 2.0 decide about strangers themselves, so the relay holds no messages for agents.
  if (reader?.identityType === 'agent') return 'open';
  return ofOneHouse(people.identity(sender), reader) ? 'open' : 'hold';
}

/** Runs inside a transaction: moves held messages of `slug` to the queues of `owner`'s devices. */
function letThrough(store: RelayStore, owner: string, slug: string): readonly HeldEntry[] {
  const released = store.contacts.release(owner, slug);
  for (const { deviceId, seq, entry } of released) store.mail.queue(deviceId, seq, entry);
  return released;
}

/** Sends released messages live; call after the commit. */
export function sendReleased(context: RelayContext, released: readonly HeldEntry[]): void {
  for (const { deviceId, seq, entry, body } of released) {
    context.hub.sendToDevice(deviceId, messageFrame(seq, body, entry));
  }
}

/** A person who writes to another allows them to write back; runs inside the transaction of that message. */
export function welcome(store: RelayStore, message: NewMailRow, now: number): readonly HeldEntry[] {
  const { kind, senderSlug, recipientSlug } = message;
  const { contacts } = store;
  if (kind !== 'dm' || recipientSlug === null || !contacts.holds(senderSlug)) return [];
  if (contacts.verdict(senderSlug, recipientSlug) !== null) return [];
  contacts.setVerdict(senderSlug, recipientSlug, 'allow', now);
  return letThrough(store, senderSlug, recipientSlug);
}

export function readContacts(context: RelayContext, _request: RelayRequest, caller: Caller): RouteOutcome {
  const { contacts } = context.store;
  const slugs = contacts.verdicts(caller.slug, 'allow');
  return answer({
    hold_first_contact: contacts.holds(caller.slug),
    slugs,
    entries: slugs.map((slug) => ({ peer_slug: slug })),
    waiting: contacts.waiting(caller.slug),
  });
}

export function readBlocked(context: RelayContext, _request: RelayRequest, caller: Caller): RouteOutcome {
  const slugs = context.store.contacts.verdicts(caller.slug, 'block');
  return answer({ slugs, blocks: slugs.map((id) => ({ target: 'user', id })) });
}

const settingSchema = z.object({ hold_first_contact: z.boolean() });

/** Turning the setting off releases no held messages: only allowing the sender does. */
export async function changeContactSetting(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(settingSchema);
  if (!body.ok) return body;
  const holds = body.value.hold_first_contact;
  if (holds && context.store.people.identity(caller.slug)?.identityType === 'agent') {
    return refuseRequest('FORBIDDEN', say('relay.agentContactNotHeld'));
  }
  const done = await context.queue.run(() => ok(context.store.contacts.setHolds(caller.slug, holds)));
  return done.ok ? answer({ ok: true, hold_first_contact: holds }) : done;
}

const personSchema = z.string().min(1).max(200);
/** `{slugs}` of clients from 1.1, or `{slug}`. */
const allowedSchema = z.union([
  z.object({ slugs: z.array(personSchema).min(1).max(500) }).transform(({ slugs }) => [...new Set(slugs)]),
  z.object({ slug: personSchema }).transform(({ slug }) => [slug]),
]);
/** `{target: "user", id}` of clients from 1.1, or `{slug}`. */
const blockedSchema = z.union([
  z.object({ target: z.literal('user').default('user'), id: personSchema }).transform(({ id }) => id),
  z.object({ slug: personSchema }).transform(({ slug }) => slug),
]);

/** Skips unknown people in a longer list, so that one deleted contact does not lose the others. */
export async function allowContactRoute(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(allowedSchema);
  if (!body.ok) return body;
  const { contacts, people } = context.store;
  const done = await context.queue.run(() => {
    const known = body.value.filter((slug) => people.identity(slug) !== null);
    if (known.length === 0)
      return refuseRequest('NOT_FOUND', say('relay.personUnknown', { slug: body.value[0] ?? '' }));
    const now = context.clock.now();
    return ok(
      known.flatMap((slug) => {
        contacts.setVerdict(caller.slug, slug, 'allow', now);
        return letThrough(context.store, caller.slug, slug);
      }),
    );
  });
  if (!done.ok) return done;
  sendReleased(context, done.value);
  return answer({ ok: true, released: new Set(done.value.map(({ seq }) => seq)).size });
}

/** Drops the held messages of a blocked sender; they are never delivered. */
export async function blockContactRoute(
  context: RelayContext,
  request: RelayRequest,
  caller: Caller,
): Promise<RouteOutcome> {
  const body = request.json(blockedSchema);
  if (!body.ok) return body;
  const slug = body.value;
  if (slug === caller.slug) return refuseRequest('InvalidInput', say('relay.cannotBlockYourself'));
  const { contacts } = context.store;
  const done = await context.queue.run(() => {
    contacts.setVerdict(caller.slug, slug, 'block', context.clock.now());
    return ok(contacts.dropHeld(caller.slug, slug));
  });
  return done.ok ? answer({ ok: true }) : done;
}

type Verdict = 'allow' | 'block';

/** Removes people from one list only: leaving the allow list does not lift a block. */
function forget(context: RelayContext, owner: string, slugs: readonly string[], verdict: Verdict) {
  const { contacts } = context.store;
  return context.queue.run(() => {
    for (const slug of slugs) {
      if (contacts.verdict(owner, slug) === verdict) {
        contacts.setVerdict(owner, slug, null, context.clock.now());
      }
    }
    return ok(undefined);
  });
}

export const forgetContactRoute =
  (verdict: Verdict) =>
  async (context: RelayContext, request: RelayRequest, caller: Caller): Promise<RouteOutcome> => {
    const done = await forget(context, caller.slug, [request.params.slug ?? ''], verdict);
    return done.ok ? answer({ ok: true }) : done;
  };

/** `DELETE` with the people in its body, as clients from 1.1 send it. */
export const forgetNamedContacts =
  (verdict: Verdict) =>
  async (context: RelayContext, request: RelayRequest, caller: Caller): Promise<RouteOutcome> => {
    const named = request.json(
      verdict === 'allow' ? allowedSchema : blockedSchema.transform((slug) => [slug]),
    );
    if (!named.ok) return named;
    const done = await forget(context, caller.slug, named.value, verdict);
    return done.ok ? answer('', 204) : done;
  };
