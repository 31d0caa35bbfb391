import { describe, expect, it } from 'vitest';
import { createMemoryRegistryStore } from '../../../test/fakes/memory-registry-store.ts';
import { slugLists, syncCertificates } from './cert-sync.ts';
import type { SignedClient } from './signed-client.ts';

interface Page {
  readonly entries: readonly { readonly seq: number; readonly slug: string }[];
  readonly has_more: boolean;
}

function clientOf(answer: (since: number, slugs: readonly string[]) => Page) {
  const asked: string[] = [];
  const client: SignedClient = {
    slug: 'x',
    bytes: () => Promise.reject(new Error('not asked for')),
    json: async (_method, target, schema) => {
      asked.push(target);
      const url = new URL(target, 'http://x');
      const page = answer(
        Number(url.searchParams.get('since')),
        (url.searchParams.get('slugs') ?? '').split(','),
      );
      const entries = page.entries.map((entry) => ({ ...entry, kind: 'identity_cert', cert: {} }));
      return { ok: true, value: schema.parse({ ...page, entries }) };
    },
  };
  return { client, asked };
}

describe('Certificate sync', () => {
  it('keeps each list of slugs under 1,500 encoded characters', () => {
    const slugs = Array.from({ length: 200 }, (_, n) => `person-with-ümlaut-${n}`);
    const lists = slugLists(slugs);
    expect(lists.flat()).toEqual(slugs);
    for (const list of lists)
      expect(list.map(encodeURIComponent).join(',').length).toBeLessThanOrEqual(1_500);
    expect(lists.length).toBeGreaterThan(3);
  });

  it('reads all pages and continues from the last cursor next time', async () => {
    const all = Array.from({ length: 7 }, (_, n) => ({ seq: n + 1, slug: n % 2 ? 'b' : 'a' }));
    const { client, asked } = clientOf((since) => {
      const rest = all.filter(({ seq }) => seq > since);
      return { entries: rest.slice(0, 3), has_more: rest.length > 3 };
    });
    const store = createMemoryRegistryStore();
    expect((await syncCertificates(client, store, ['a', 'b'])).ok).toBe(true);
    expect(store.entries('a')).toHaveLength(4);
    expect(store.entries('b')).toHaveLength(3);
    expect(asked).toHaveLength(3);
    await syncCertificates(client, store, ['a', 'b']);
    expect(asked.at(-1)).toContain('since=7');
  });

  it('starts over if the store loses entries during a request (F19)', async () => {
    const all = Array.from({ length: 5 }, (_, n) => ({ seq: n + 1, slug: 'a' }));
    const store = createMemoryRegistryStore();
    const { client, asked } = clientOf((since) => {
      if (asked.length === 2) store.lose('a');
      return { entries: all.filter(({ seq }) => seq > since), has_more: false };
    });
    await syncCertificates(client, store, ['a']);
    all.push({ seq: 6, slug: 'a' });
    await syncCertificates(client, store, ['a']);
    expect(asked.map((target) => target.split('since=')[1])).toEqual(['0', '5', '0']);
    expect(store.entries('a').map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('stops with an error if the server’s cursor does not advance', async () => {
    const { client, asked } = clientOf(() => ({ entries: [], has_more: true }));
    const result = await syncCertificates(client, createMemoryRegistryStore(), ['a']);
    expect(result).toMatchObject({ ok: false, error: { code: 'protocol' } });
    expect(asked).toHaveLength(1);
  });

  it('drops entries of accounts that were not requested', async () => {
    const { client } = clientOf(() => ({ entries: [{ seq: 5, slug: 'mallory' }], has_more: false }));
    const store = createMemoryRegistryStore();
    await syncCertificates(client, store, ['a']);
    expect(store.entries('mallory')).toEqual([]);
    expect(store.cursor('mallory')).toBe(0);
  });
});
