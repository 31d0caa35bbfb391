import { describe, expect, it } from 'vitest';
import type { Approval, Receipt } from '../../contract/approvals.ts';
import { englishText } from '../../language/host-message.ts';
import { checkReceipt } from './check-receipt.ts';
import { searchQuestions } from './search-questions.ts';

const key = 'A'.repeat(43);
const decision = {
  scope: 'once' as const,
  reason: 'Only today',
  surface: 'window' as const,
  at: 5,
  receiptId: 'rc_1',
};
const question = (id: string, change: Partial<Approval> = {}) =>
  ({
    id,
    kind: 'tool',
    agentId: 'guide',
    agentName: 'Guide',
    subject: 'write_file',
    digest: 'd',
    title: 'wants to write hello.md',
    preview: { kind: 'text', body: '' },
    where: '',
    decision,
    state: 'allowed',
    ...change,
  }) as Approval;
const receipt: Receipt = {
  id: 'rc_1',
  approvalId: 'ap',
  agentId: 'guide',
  tool: 'write_file',
  digest: 'd',
  answer: 'allow',
  scope: 'once',
  surface: 'window',
  at: 5,
  hostKey: key,
  signature: 'A'.repeat(86),
};
const signed = { ed25519Verify: () => true };
const partsOf = (kept: Receipt | null) => ({ store: { receiptOf: () => kept }, publicKey: key });

describe('Approval receipt', () => {
  it('is valid if this host signed the decision of the question', () => {
    expect(checkReceipt(signed, partsOf(receipt), question('ap'))).toEqual({ ok: true, problem: '' });
  });

  it('is invalid without a signature, under another key or for another decision (T28)', () => {
    const verdict = (kept: Receipt | null, crypto = signed, approval = question('ap')) =>
      checkReceipt(crypto, partsOf(kept), approval);
    expect(englishText(verdict(null).problem)).toContain('no receipt');
    expect(englishText(verdict(receipt, { ed25519Verify: () => false }).problem)).toContain('signature');
    expect(englishText(verdict({ ...receipt, hostKey: 'B'.repeat(43) }).problem)).toContain(
      'not this host’s',
    );
    const others: Partial<Receipt>[] = [
      { digest: 'e' },
      { agentId: 'scribe' },
      { tool: 'bash_exec' },
      { at: 6 },
      { scope: 'pattern' as const },
      { answer: 'deny' as const },
      { by: 'bob' },
    ];
    for (const other of others) expect(verdict({ ...receipt, ...other }).ok).toBe(false);
    expect(verdict(receipt, signed, question('ap', { state: 'denied' })).ok).toBe(false);
  });
});

describe('Approval history', () => {
  const all = Array.from({ length: 450 }, (_, index) =>
    question(`ap${index}`, {
      title: index % 100 === 7 ? 'wants to send a Letter' : 'wants to write',
      kind: index % 2 === 0 ? 'tool' : 'spending',
      state: index % 3 === 0 ? 'denied' : 'allowed',
    }),
  );
  const store = {
    list: ({ before, limit }: { before?: string; limit: number }) => {
      const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
      return all.slice(from, from + limit).map((approval) => ({ approval }) as never);
    },
  };
  const search = (wish: object) => searchQuestions(store, undefined, { state: 'decided', limit: 3, ...wish });
  const idsOf = (wish: object) => search(wish).approvals.map(({ id }) => id);

  it('searches all rows without case and continues after a page', () => {
    expect(idsOf({ text: ' letter ' })).toEqual(['ap7', 'ap107', 'ap207']);
    expect(search({ text: 'letter' }).hasMore).toBe(true);
    expect(idsOf({ text: 'letter', before: 'ap207' })).toEqual(['ap307', 'ap407']);
    expect(search({ text: 'letter', before: 'ap207' }).hasMore).toBe(false);
    expect(idsOf({ text: 'only today' })).toEqual(['ap0', 'ap1', 'ap2']);
  });

  it('filters by kind and answer', () => {
    expect(idsOf({ kind: 'spending', answer: 'denied' })).toEqual(['ap3', 'ap9', 'ap15']);
  });

  it('returns full pages and reports whether more rows follow', () => {
    expect(idsOf({})).toEqual(['ap0', 'ap1', 'ap2']);
    expect(search({}).hasMore).toBe(true);
    expect(search({ before: 'ap446' })).toMatchObject({ hasMore: false });
  });
});
