import { beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { testCrypto } from '../../../test/fakes/test-crypto.ts';
import type { KeyTrust, RoomsView } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { toBase64Url } from '../../core/lib/bytes.ts';
import type { OpenParts, OperatorSession } from '../identity/operator.ts';
import { VerifyPeople } from './verify-person.ts';

interface Entry {
  readonly displayName: string;
  readonly type: 'human' | 'agent';
  readonly root: string;
}

const root = (): string => toBase64Url(testCrypto.ed25519KeyPair().public);
const entry = (displayName: string, type: Entry['type'] = 'human'): Entry => ({
  displayName,
  type,
  root: root(),
});

/** People whom the server knows. */
let server: Map<string, Entry>;
/** Names that the chat knows, by slug. */
let named: Record<string, string>;
let marks: Record<string, KeyTrust>;
let isOffline: boolean;
let people: VerifyPeople;

const distrust = (kind: string, code: string) => err({ kind, error: { code, message: kind } });

beforeEach(() => {
  server = new Map();
  named = {};
  marks = {};
  isOffline = false;
  const identities = {
    verified: async (slug: string): Promise<Result<unknown, unknown>> => {
      if (isOffline) return distrust('unavailable', 'unavailable');
      const found = server.get(slug);
      if (!found) return distrust('unknown', 'not_found');
      return ok({ slug, identityType: found.type, rootPublicKey: found.root });
    },
    trust: () => marks,
    verifiedAt: (slug: string) => (marks[slug] === 'verified' ? 5 : null),
    markVerified: (slug: string, key: string) => {
      if (server.get(slug)?.root !== key) return false;
      marks = { ...marks, [slug]: 'verified' };
      return true;
    },
    unmarkVerified: (slug: string) => {
      const { [slug]: _, ...rest } = marks;
      marks = rest;
    },
  };
  const profiles = {
    known: () => ({ role: '' }),
    person: async (slug: string) => ({ displayName: server.get(slug)?.displayName ?? slug, agent: false }),
  };
  const session = {
    self: { slug: 'ada-0001', account: { rootPublicKey: root() } },
    identity: { serverUrl: 'http://relay' },
  };
  const parts = { crypto: testCrypto, servers: { directory: () => ok({ identities, profiles }) } };
  people = new VerifyPeople({
    session: () => session as unknown as OperatorSession,
    openParts: async () => ok(parts as unknown as OpenParts),
    rooms: () => ({ self: 'ada-0001', rooms: {} }) as unknown as RoomsView,
    known: () => Object.entries(named).map(([slug, displayName]) => ({ slug, displayName, agent: false })),
    log: createRecordingLog(),
  });
});

/** A person in a room with the operator. */
function meet(slug: string, displayName: string, type: Entry['type'] = 'human'): void {
  server.set(slug, entry(displayName, type));
  named[slug] = displayName;
}

const slugOf = async (who: string): Promise<string | undefined> => {
  const shown = await people.show(who);
  return shown.ok ? shown.value.slug : shown.error.code;
};
const numberOf = async (who: string): Promise<string> => {
  const shown = await people.show(who);
  return shown.ok ? shown.value.safetyNumber : 'none';
};

describe('Looking up a person to verify (T7)', () => {
  it('finds a name of one person, and refuses a name of two', async () => {
    meet('bob-1f3a', 'Bob');
    expect(await slugOf(' @bob ')).toBe('bob-1f3a');
    meet('bob-2222', 'BOB');
    expect(await people.show('Bob')).toMatchObject({
      error: { code: 'invalid_input', hint: expect.stringContaining('bob-2222') },
    });
    expect(await slugOf('bob-2222')).toBe('bob-2222');
    expect(await slugOf('carl')).toBe('not_found');
  });

  it('T7: a display name never stands for a handle', async () => {
    meet('mallory-0666', 'bob-1f3a');
    marks = { 'mallory-0666': 'verified' };
    for (const who of ['bob-1f3a', '@bob-1f3a', 'Bob-1F3A']) {
      expect(await slugOf(who), who).toBe('not_found');
      expect(await people.verify(who, await numberOf('mallory-0666')), who).toMatchObject({
        error: { code: 'not_found' },
      });
      await people.unverify(who);
    }
    expect(marks).toEqual({ 'mallory-0666': 'verified' });
    server.set('bob-1f3a', entry('Bob'));
    expect(await slugOf('bob-1f3a')).toBe('bob-1f3a');
  });
});

describe('Verified mark', () => {
  it('T7: is given for the complete safety number alone', async () => {
    meet('bob-1f3a', 'Bob');
    const number = await numberOf('bob-1f3a');
    expect(number).toMatch(/^(\d{5} ){11}\d{5}$/);
    expect(await people.verify('Bob', number.slice(0, -1))).toMatchObject({ error: { code: 'untrusted' } });
    expect(await people.verify('Bob', number)).toEqual(ok({}));
    expect(marks).toEqual({ 'bob-1f3a': 'verified' });
  });

  it('T7: is never given to an agent, whose number its operator cannot see', async () => {
    // The server says that this agent is a person.
    meet('scout-5b5b', 'Scout', 'agent');
    expect(await people.show('scout-5b5b')).toMatchObject({ value: { agent: true, safetyNumber: '' } });
    for (const compared of ['-', '0'.repeat(60)])
      expect(await people.verify('scout-5b5b', compared)).toMatchObject({
        error: {
          code: 'invalid_input',
          message: 'scout-5b5b is an agent. The safety number of an agent cannot be compared.',
        },
      });
    expect(marks).toEqual({});
  });

  it.each([
    ['the server is away', () => (isOffline = true)],
    ['the server deleted the person', () => server.clear()],
  ])('is removed by handle while %s', async (_, happen) => {
    meet('bob-1f3a', 'Bob');
    marks = { 'bob-1f3a': 'lost', 'eve-0007': 'verified' };
    happen();
    expect(await people.unverify('@bob-1f3a')).toEqual(ok({ slug: 'bob-1f3a' }));
    expect(await people.unverify('eve-0007'), 'shares no room').toEqual(ok({ slug: 'eve-0007' }));
    expect(marks).toEqual({});
  });

  it('is removed by the name of one person', async () => {
    meet('bob-1f3a', 'Bob');
    marks = { 'bob-1f3a': 'verified' };
    expect(await people.unverify('carl')).toMatchObject({ error: { code: 'not_found' } });
    expect(await people.unverify('bob')).toEqual(ok({ slug: 'bob-1f3a' }));
    expect(marks).toEqual({});
  });
});
