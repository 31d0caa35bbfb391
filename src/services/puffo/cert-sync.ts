/**
 * Copies registry entries of some identities from the server into the registry store, page by page (spec
 * §2.2): each page is stored before the next is requested, and a server whose cursor does not advance is not
 * asked further.
 */
import { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import type { RegistryEntry, RegistryStore } from '../../core/puffo/registry-store.ts';
import { certEntrySchema } from '../../core/puffo/wire.ts';
import { say } from '../../language/say.ts';
import { noAnswer, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

const pageSchema = z.looseObject({
  entries: z.array(z.unknown()).max(10_000),
  has_more: z.boolean().optional(),
});

/** Maximum encoded characters of one slug list. */
const maxListLength = 1_500;
const maxPages = 1_000;

/** Splits slugs into lists that each fit into one request. */
export function slugLists(slugs: readonly string[]): readonly (readonly string[])[] {
  const lists: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const slug of slugs) {
    const cost = encodeURIComponent(slug).length + 1;
    if (length + cost > maxListLength) {
      lists.push([]);
      length = 0;
    }
    lists.at(-1)?.push(slug);
    length += cost;
  }
  return lists;
}

export const slugQuery = (slugs: readonly string[]): string => slugs.map(encodeURIComponent).join(',');

/** Keeps the requested entries with a valid format; the others are ignored. */
function usable(raw: readonly unknown[], wanted: ReadonlySet<string>): readonly RegistryEntry[] {
  return raw.flatMap((entry) => {
    const parsed = certEntrySchema.safeParse(entry);
    if (!parsed.success || !wanted.has(parsed.data.slug)) return [];
    const { seq, kind, slug, cert } = parsed.data;
    return [{ seq, kind, slug, cert }];
  });
}

/** Returns false if the store lost what came before this page. */
function storePage(
  store: RegistryStore,
  slugs: readonly string[],
  entries: readonly RegistryEntry[],
  { since, reached }: { readonly since: number; readonly reached: number },
): boolean {
  return slugs.every((slug) => {
    const own = entries.filter((entry) => entry.slug === slug);
    if (own.length === 0 && reached <= store.cursor(slug)) return true;
    return store.append(slug, own, reached, since);
  });
}

async function syncList(
  client: SignedClient,
  store: RegistryStore,
  slugs: readonly string[],
): Promise<Result<void, RequestError>> {
  const wanted = new Set(slugs);
  const storedCursor = (): number => Math.min(...slugs.map((slug) => store.cursor(slug)));
  let since = storedCursor();
  for (let page = 0; page < maxPages; page += 1) {
    const target = `/certs/sync?slugs=${slugQuery(slugs)}&since=${since}`;
    const answer = await client.json('GET', target, pageSchema);
    if (!answer.ok) return answer;
    const entries = usable(answer.value.entries, wanted);
    const reached = entries.reduce((highest, entry) => Math.max(highest, entry.seq), since);
    if (!storePage(store, slugs, entries, { since, reached })) {
      since = storedCursor();
      continue;
    }
    if (answer.value.has_more !== true) return ok(undefined);
    if (reached <= since) return err(noAnswer('protocol', say('server.registryStalled')));
    since = reached;
  }
  return err(noAnswer('protocol', say('server.registryEndless')));
}

/** Requests new and known identities separately, so that no entry is read twice. */
export async function syncCertificates(
  client: SignedClient,
  store: RegistryStore,
  slugs: readonly string[],
): Promise<Result<void, RequestError>> {
  const known = slugs.filter((slug) => store.cursor(slug) > 0);
  const fresh = slugs.filter((slug) => store.cursor(slug) === 0);
  for (const list of [...slugLists(fresh), ...slugLists(known)]) {
    const result = await syncList(client, store, list);
    if (!result.ok) return result;
  }
  return ok(undefined);
}
