import { describe, expect, it } from 'vitest';
import { err, ok } from '../../contract/result.ts';
import { allowContact, blockContact, fetchContacts, forgetContact } from './contacts.ts';
import { answered } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
}

/** Answers by `METHOD path`; anything else is 404. */
function fakeServer(answers: Readonly<Record<string, unknown>>) {
  const sent: Sent[] = [];
  const client: SignedClient = {
    slug: 'ada-1111',
    bytes: () => Promise.reject(new Error('not asked')),
    json: (method, target, schema, options) => {
      sent.push({ method, target, body: options?.body });
      const found = answers[`${method} ${target}`];
      if (found === undefined)
        return Promise.resolve(err(answered(404, 'NOT_FOUND', 'No such route.', null, [])));
      return Promise.resolve(ok(schema.parse(found)));
    },
  };
  return { client, sent };
}

describe('Contact lists of a server', () => {
  it('are read in the format of clients from 1.1', async () => {
    const { client } = fakeServer({
      'GET /allowlists': { entries: [{ peer_slug: 'bob-2222' }, { peer_slug: 7 }, { slug: 'nobody-1' }] },
      'GET /blocklists': {
        blocks: [
          { target: 'user', id: 'eve-3333' },
          { target: 'space', id: 'sp_1' },
        ],
      },
    });
    expect(await fetchContacts(client)).toEqual(
      ok({ holdsFirst: false, allowed: ['bob-2222'], blocked: ['eve-3333'], waiting: [] }),
    );
  });

  it('are read in Kennel’s format, and in both at once without duplicates', async () => {
    const { client } = fakeServer({
      'GET /allowlists': { slugs: ['bob-2222'], entries: [{ peer_slug: 'bob-2222' }] },
      'GET /blocklists': { slugs: ['eve-3333'] },
    });
    expect(await fetchContacts(client)).toMatchObject({
      value: { allowed: ['bob-2222'], blocked: ['eve-3333'] },
    });
  });

  it('are written in both formats', async () => {
    const { client, sent } = fakeServer({
      'POST /allowlists': null,
      'POST /blocklists': { ok: true },
      'DELETE /allowlists': null,
      'DELETE /blocklists': null,
    });
    expect(await allowContact(client, 'bob-2222')).toEqual(ok(0));
    expect(await blockContact(client, 'eve-3333')).toEqual(ok(undefined));
    expect(await forgetContact(client, 'eve-3333')).toEqual(ok(undefined));
    const allow = (slug: string) => ({ slug, slugs: [slug] });
    const block = { slug: 'eve-3333', target: 'user', id: 'eve-3333' };
    expect(sent).toEqual([
      { method: 'POST', target: '/allowlists', body: allow('bob-2222') },
      { method: 'POST', target: '/blocklists', body: block },
      { method: 'DELETE', target: '/allowlists', body: allow('eve-3333') },
      { method: 'DELETE', target: '/blocklists', body: block },
    ]);
  });

  it('may be missing, and the server may lack a DELETE for the allow list', async () => {
    const { client } = fakeServer({});
    expect(await forgetContact(client, 'eve-3333')).toEqual(ok(undefined));
    expect(await fetchContacts(client)).toEqual(ok(null));
  });
});
