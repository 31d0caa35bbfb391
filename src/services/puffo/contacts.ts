/**
 * The contact lists of an account on its server (spec §2.3, §11.4); a server may lack them. Two formats are
 * in use: `{slug}` and `{slugs}` of Kennel's own relay, and the entries of clients from 1.1. Every request
 * and every response works with both.
 */

import { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import { slugSchema } from '../../core/puffo/wire.ts';
import { plainError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { validItems } from './valid-items.ts';

export interface ServerContacts {
  readonly holdsFirst: boolean;
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  readonly waiting: readonly { readonly slug: string; readonly messages: number; readonly since: number }[];
}

const slugs = validItems(slugSchema);
const allowSchema = z.looseObject({
  hold_first_contact: z.boolean().default(false),
  slugs: slugs.default([]),
  entries: validItems(z.looseObject({ peer_slug: slugSchema })).default([]),
  waiting: z
    .array(z.looseObject({ slug: slugSchema, messages: z.number().int(), since: z.number() }))
    .max(10_000)
    .default([]),
});
const blockSchema = z.looseObject({
  slugs: slugs.default([]),
  blocks: validItems(z.looseObject({ target: z.literal('user'), id: slugSchema })).default([]),
});

const merged = (plain: readonly string[], entries: readonly string[]): readonly string[] => [
  ...new Set([...plain, ...entries]),
];

/** `null` if the server lacks the lists. */
export async function fetchContacts(client: SignedClient): Promise<Result<ServerContacts | null>> {
  const allow = await client.json('GET', '/allowlists', allowSchema);
  if (!allow.ok) {
    const absent = allow.error.status === 404 || allow.error.code === 'protocol';
    return absent ? ok(null) : err(plainError(allow.error));
  }
  const block = await client.json('GET', '/blocklists', blockSchema);
  const { hold_first_contact: holdsFirst, waiting } = allow.value;
  const entries = allow.value.entries.map(({ peer_slug }) => peer_slug);
  const blocks = block.ok ? block.value.blocks.map(({ id }) => id) : [];
  return ok({
    holdsFirst,
    allowed: merged(allow.value.slugs, entries),
    blocked: merged(block.ok ? block.value.slugs : [], blocks),
    waiting,
  });
}

async function tell(
  client: SignedClient,
  method: 'POST' | 'PATCH' | 'DELETE',
  target: string,
  body?: object,
): Promise<Result<void>> {
  const answer = await client.json(method, target, z.unknown(), body ? { body } : {});
  return answer.ok ? ok(undefined) : err(plainError(answer.error));
}

const allowBody = (slug: string) => ({ slug, slugs: [slug] });
const blockBody = (slug: string) => ({ slug, target: 'user', id: slug });

/** Returns how many messages were held. */
export async function allowContact(client: SignedClient, slug: string): Promise<Result<number>> {
  const schema = z.looseObject({ released: z.number().int().nullish() }).nullable();
  const answer = await client.json('POST', '/allowlists', schema, { body: allowBody(slug) });
  return answer.ok ? ok(answer.value?.released ?? 0) : err(plainError(answer.error));
}

export const blockContact = (client: SignedClient, slug: string): Promise<Result<void>> =>
  tell(client, 'POST', '/blocklists', blockBody(slug));

/** Removes the slug from a list; a server without the route, or without the entry, has nothing to remove. */
async function remove(client: SignedClient, list: string, body: object): Promise<Result<void>> {
  const answer = await client.json('DELETE', list, z.unknown(), { body });
  const isAbsent = !answer.ok && (answer.error.status === 404 || answer.error.status === 405);
  return answer.ok || isAbsent ? ok(undefined) : err(plainError(answer.error));
}

export const forgetContact = async (client: SignedClient, slug: string): Promise<Result<void>> => {
  const allowed = await remove(client, '/allowlists', allowBody(slug));
  return allowed.ok ? remove(client, '/blocklists', blockBody(slug)) : allowed;
};

export const holdFirstContact = (client: SignedClient, on: boolean): Promise<Result<void>> =>
  tell(client, 'PATCH', '/allowlists', { hold_first_contact: on });
