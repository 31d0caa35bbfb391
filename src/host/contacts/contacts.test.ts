import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { ContactRow, ContactStore } from '../../core/puffo/contact-store.ts';
import { Contacts, type ContactsDeps } from './contacts.ts';

const server = 'https://relay.test';
const unused = (): never => {
  throw new Error('must not be called');
};

function rig() {
  const kept: ContactRow[] = [];
  const noted: string[] = [];
  /** Called before a line of the audit log is written. */
  const audit = { beforeLine: async (_outcome: string): Promise<void> => undefined };
  const vault = { isOpen: true, hasStore: true };
  const store: ContactStore = {
    contact: (wanted) => kept.find((one) => one.server === wanted.server && one.slug === wanted.slug) ?? null,
    contacts: () => kept,
    keepContact: (contact) => void kept.unshift(contact),
  };
  const deps: ContactsDeps = {
    clock: createVirtualClock(),
    approvals: {
      begun: () => vault.hasStore,
      parts: () =>
        vault.isOpen
          ? ok({ store, centre: { find: unused, decide: unused } })
          : err(textError('locked', 'Your secrets are locked.')),
      async note({ outcome }) {
        await audit.beforeLine(outcome);
        noted.push(outcome);
        return ok(undefined);
      },
      questionOf: () => null,
    },
    questions: { isAsked: () => false } as unknown as ContactsDeps['questions'],
    operator: () => null,
    holders: () => [],
    isEmbedded: () => false,
  };
  return { contacts: new Contacts(deps), vault, noted, audit };
}

describe('Contacts', () => {
  it('T9 holds messages while the decisions cannot be read, and applies them once they can', async () => {
    const { contacts, vault } = rig();
    await contacts.record({ server, slug: 'mallory' }, 'accepted');
    expect(contacts.decisionOf(server, 'mallory')).toBe('accepted');
    vault.isOpen = false;
    expect(contacts.decisionOf(server, 'mallory')).toBe('unknown');
    expect(contacts.decisionOf(server, 'stranger')).toBe('unknown');
    vault.isOpen = true;
    expect(contacts.decisionOf(server, 'mallory')).toBe('accepted');
    expect(contacts.decisionOf(server, 'stranger')).toBeNull();
  });

  it('opens no store before the first question of this host', () => {
    const { contacts, vault } = rig();
    vault.hasStore = false;
    vault.isOpen = false;
    expect(contacts.decisionOf(server, 'mallory')).toBeNull();
  });

  it('T9 drops an answer if the operator decided after its question was asked', async () => {
    const { contacts, noted } = rig();
    const mallory = { server, slug: 'mallory' };
    const askedAt = contacts.decidedAt(mallory);
    await contacts.record(mallory, 'blocked');
    expect(await contacts.record(mallory, 'accepted', askedAt)).toEqual(ok(0));
    expect([contacts.decisionOf(server, 'mallory'), noted]).toEqual(['blocked', ['blocked']]);
    await contacts.record(mallory, 'accepted', contacts.decidedAt(mallory));
    expect(contacts.decisionOf(server, 'mallory')).toBe('accepted');
  });

  it('T9 drops an answer if the operator decides while its audit line is written, and withdraws the line', async () => {
    const { contacts, audit, noted } = rig();
    const mallory = { server, slug: 'mallory' };
    audit.beforeLine = async (outcome) => {
      if (outcome === 'accepted') await contacts.record(mallory, 'blocked');
    };
    expect(await contacts.record(mallory, 'accepted', contacts.decidedAt(mallory))).toEqual(ok(0));
    expect(contacts.decisionOf(server, 'mallory')).toBe('blocked');
    expect(noted.sort()).toEqual(['accepted', 'accepted_withdrawn', 'blocked']);
  });
});
