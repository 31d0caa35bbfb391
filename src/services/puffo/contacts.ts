/** Who may write to an account directly, as its server keeps it (spec §2.3, §11.4); a server may not have it at all. */

import { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import { slugSchema } from '../../core/puffo/wire.ts';
import { plainError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';
import { validItems } from './valid-items.ts';

export interface Contacts {
  readonly holdsFirst: boolean;
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  readonly waiting: readonly { readonly slug: string; readonly messages: number; readonly since: number }[];
}

const slugs = validItems(slugSchema);
const allowSchema = z.looseObject({
  hold_first_contact: z.boolean().default(false),
  slugs: slugs.default([]),
  waiting: z
    .array(z.looseObject({ slug: slugSchema, messages: z.number().int(), since: z.number() }))
    .max(10_000)
    .default([]),
});
const blockSchema = z.looseObject({ slugs: slugs.default([]) });

/** Null where the server has no such thing. */
export async function readContacts(client: SignedClient): Promise<Result<Contacts | null>> {
  const allow = await client.json('GET', '/allowlists', allowSchema);
  if (!allow.ok) {
    const absent = allow.error.status === 404 || allow.error.code === 'protocol';
    return absent ? ok(null) : err(plainError(allow.error));
  }
  const block = await client.json('GET', '/blocklists', blockSchema);
  const { hold_first_contact: holdsFirst, slugs: allowed, waiting } = allow.value;
  return ok({ holdsFirst, allowed, blocked: block.ok ? block.value.slugs : [], waiting });
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

/** Returns how many messages were waiting. */
export async function allowContact(client: SignedClient, slug: string): Promise<Result<number>> {
  const schema = z.looseObject({ released: z.number().int().nullish() });
  const answer = await client.json('POST', '/allowlists', schema, { body: { slug } });
  return answer.ok ? ok(answer.value.released ?? 0) : err(plainError(answer.error));
}

export const blockContact = (client: SignedClient, slug: string): Promise<Result<void>> =>
  tell(client, 'POST', '/blocklists', { slug });

export const forgetContact = async (client: SignedClient, slug: string): Promise<Result<void>> => {
  const allowed = await tell(client, 'DELETE', `/allowlists/${encodeURIComponent(slug)}`);
  return allowed.ok ? tell(client, 'DELETE', `/blocklists/${encodeURIComponent(slug)}`) : allowed;
};

export const holdFirstContact = (client: SignedClient, on: boolean): Promise<Result<void>> =>
  tell(client, 'PATCH', '/allowlists', { hold_first_contact: on });
