import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../test/fakes/in-english.ts';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { GateDecision } from '../../core/approvals/approval-gate.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { type BudgetLimits, noLimits } from '../../core/models/budget.ts';
import { noUsage } from '../../core/models/messages.ts';
import { modelFacts } from '../../core/models/model-facts.ts';
import { englishText } from '../../language/host-message.ts';
import type { AllowanceRow, LedgerRow, UsageStore } from '../../services/db/usage-store.ts';
import { Allowances } from './allowances.ts';
import { createBudgetScopes } from './budget-scopes.ts';
import type { Budgets } from './budgets.ts';
import { untilTomorrow } from './days.ts';
import { Ledger, nothingSpent } from './ledger.ts';
import { createSpendGate } from './spend-gate.ts';
import { SpendQuestions } from './spend-questions.ts';

const gpt = { provider: 'openai', model: 'gpt-5' };
const allow: GateDecision = { type: 'allow', by: 'operator', receiptId: 'rc_1' };
const deny = (by: 'operator' | 'expiry' | 'policy' | 'cancelled'): GateDecision => ({
  type: 'deny',
  reason: 'no',
  by,
});

interface Asking {
  readonly question: Question;
  answer(decision: GateDecision): void;
}

/** State that survives a kill of the host. */
const newDisk = () => ({ rows: [] as LedgerRow[], allowances: new Map<string, AllowanceRow>(), works: true });

function storeOn(disk: ReturnType<typeof newDisk>): UsageStore {
  const need = (): void => {
    if (!disk.works) throw new StoreError('io_error', 'The disk failed.');
  };
  return {
    record: (row) => disk.rows.push(row) > 0,
    byAgentAndDay: () =>
      disk.rows.map(({ agentId, day, usage, usd }) => ({
        ...nothingSpent,
        agentId,
        day,
        calls: 1,
        input: usage.input,
        usd: usd ?? 0,
      })),
    byDay: () => [],
    byModel: () => [],
    byThread: () => [],
    release: () => undefined,
    byTurn: () => [],
    allowance(who, limit, period) {
      need();
      return disk.allowances.get(`${who} ${limit} ${period}`) ?? null;
    },
    keepAllowance(row) {
      need();
      disk.allowances.set(`${row.who} ${row.limit} ${row.period}`, row);
    },
  };
}

function rig(
  limits: Record<string, Partial<BudgetLimits>>,
  disk = newDisk(),
  unattended = new Set<string>(),
) {
  const clock = createVirtualClock();
  const asked: Asking[] = [];
  const withdrawn: string[] = [];
  const store = storeOn(disk);
  const stored = { store: () => store, exists: () => true, onFault: () => undefined };
  const allowances = new Allowances(stored);
  const questions = new SpendQuestions({
    clock,
    allowances,
    nameOf: (id) => id,
    approvals: {
      attended: (id) => !unattended.has(id),
      ask: (question, signal) =>
        new Promise((resolve) => {
          asked.push({ question, answer: resolve });
          signal.addEventListener('abort', () => {
            withdrawn.push(question.key);
            resolve(deny('cancelled'));
          });
        }),
      questionOf: (_id, { callId }) => `ap ${callId}`,
    },
  });
  const budgets: Budgets = {
    nameOf: (id) => id,
    limits: (id) => ({ ...noLimits, ...limits[id ?? 'all'] }),
    price: (_agentId, name) => modelFacts(name, '2026-11-21').price,
  };
  const ledger = new Ledger(stored);
  const gate = createSpendGate({
    ledger,
    scopes: createBudgetScopes({ clock, ledger, allowances, budgets }),
    questions,
    budgets,
    onLimits: () => undefined,
    onRecorded: () => undefined,
  });
  let made = disk.rows.length;
  const spend = (agentId: string, tokens: number): void => {
    made += 1;
    gate.record({
      agentId,
      threadKey: 't',
      turnId: 'u',
      callId: `r${made}`,
      simulated: false,
      at: clock.now(),
      ...gpt,
      usage: { ...noUsage, input: tokens, totalTokens: tokens },
    });
  };
  const turn = (agentId: string, turnId = 'turn_1', ended = new AbortController()) => {
    const question = gate.question({ agentId, turnId, ended: ended.signal }, gpt);
    return { question, stop: () => ended.abort() };
  };
  const admits = (agentId: string, model = gpt): boolean => gate.admit(agentId, model).ok;
  return { gate, clock, asked, withdrawn, spend, turn, admits, disk, questions, limits, store };
}

describe('Question about a used-up budget', () => {
  it('is asked once; an approval adds the same amount from the current usage', async () => {
    const r = rig({ a: { tokensPerDay: 100 } });
    r.spend('a', 90);
    expect(r.turn('a').question).toBeNull();
    r.spend('a', 60);
    const { question } = r.turn('a');
    expect(question?.approvalId).toContain('ap spending:a:tokensPerDay:');
    expect(inEnglish(r.asked[0]?.question)).toMatchObject({
      kind: 'spending',
      agentId: 'a',
      rule: 'another 100 tokens today',
      title: 'has used its budget of 100 tokens for today. Let it spend another 100 tokens today?',
    });
    expect(r.admits('a')).toBe(false);
    r.asked[0]?.answer(allow);
    expect(await question?.answered).toBe(true);
    expect(r.admits('a')).toBe(true);
    r.spend('a', 99);
    expect(r.admits('a')).toBe(true);
    r.spend('a', 1);
    expect([r.admits('a'), r.turn('a').question, r.asked.length]).toEqual([false, null, 1]);
    await r.clock.advance(untilTomorrow(r.clock.now()) + 2_000);
    expect(r.admits('a')).toBe(true);
    r.spend('a', 100);
    expect(r.turn('a').question).not.toBeNull();
  });

  it.each(['operator', 'expiry'] as const)(
    'is not repeated after a denial (%s), and the budget stays used up',
    async (by) => {
      const r = rig({ a: { usdPerMonth: 1 } });
      r.spend('a', 1_000_000);
      const { question } = r.turn('a');
      expect(englishText(r.asked[0]?.question.title ?? '')).toContain('another $1.00 this month?');
      r.asked[0]?.answer(deny(by));
      expect(await question?.answered).toBe(false);
      expect(r.gate.admit('a', gpt)).toMatchObject({ error: { message: /The budget of a is used up/ } });
      expect(r.turn('a', 'turn_2').question).toBeNull();
    },
  );

  it('is shared by all waiting agents and withdrawn when the last one stops', async () => {
    const r = rig({ all: { tokensPerDay: 100 } });
    r.spend('a', 100);
    const one = r.turn('a');
    const two = r.turn('b', 'turn_9');
    expect(r.asked).toHaveLength(1);
    expect(englishText(r.asked[0]?.question.title ?? '')).toMatch(
      /all agents together have used their budget/,
    );
    one.stop();
    await settle();
    expect(r.withdrawn).toEqual([]);
    two.stop();
    await settle();
    expect(r.withdrawn).toHaveLength(1);
    const again = r.turn('b', 'turn_10');
    r.asked[1]?.answer(allow);
    expect(await again.question?.answered).toBe(true);
    expect([r.admits('a'), r.admits('b'), r.admits('c')]).toEqual([true, true, true]);
  });

  it('F25 is the same after a kill, and its answer survives one', async () => {
    const before = rig({ all: { tokensPerDay: 100 } });
    before.spend('a', 100);
    before.turn('a');
    const after = rig(before.limits, before.disk);
    const { question } = after.turn('b');
    const same = ({ key, agentId, args }: Question) => ({ key, agentId, args });
    expect(after.asked.map((one) => same(one.question))).toEqual(
      before.asked.map((one) => same(one.question)),
    );
    after.asked[0]?.answer(allow);
    await question?.answered;
    const later = rig(before.limits, before.disk);
    expect(later.admits('a')).toBe(true);
    later.spend('a', 100);
    expect([later.admits('a'), later.turn('a').question]).toEqual([false, null]);
  });

  it('F4 keeps an unsaved answer while the host runs, and is not asked if the store cannot be read', async () => {
    const r = rig({ a: { tokensPerDay: 100 } });
    r.spend('a', 100);
    const { question } = r.turn('a');
    r.disk.works = false;
    r.asked[0]?.answer(allow);
    await question?.answered;
    expect(r.admits('a')).toBe(true);
    const blind = rig(r.limits, r.disk);
    expect([blind.turn('a').question, blind.admits('a')]).toEqual([null, false]);
  });

  it('is withdrawn after a limit change or on a new day', async () => {
    const r = rig({ a: { tokensPerDay: 100 } });
    r.spend('a', 100);
    const first = r.turn('a');
    r.limits.a = { tokensPerDay: 200 };
    r.questions.refresh();
    expect(await first.question?.answered).toBe(true);
    expect(r.admits('a')).toBe(true);
    r.spend('a', 100);
    const second = r.turn('a');
    await r.clock.advance(untilTomorrow(r.clock.now()) + 2_000);
    expect(await second.question?.answered).toBe(true);
    expect([r.withdrawn.length, r.admits('a')]).toEqual([2, true]);
  });

  it('is not asked for an unattended agent, a zero limit or an unknown price', () => {
    const limits = { a: { tokensPerDay: 100 }, b: { usdPerDay: 0 }, c: { usdPerDay: 1, tokensPerDay: 1 } };
    const r = rig(limits, newDisk(), new Set(['a']));
    for (const id of ['a', 'c']) r.spend(id, 1_000_000);
    expect([r.turn('a').question, r.turn('b').question]).toEqual([null, null]);
    const ended = new AbortController().signal;
    const unknown = { provider: 'ollama', model: 'x' };
    expect(r.gate.question({ agentId: 'c', turnId: 't', ended }, unknown)).toBeNull();
    expect([r.admits('a'), r.admits('b'), r.admits('c', unknown)]).toEqual([false, false, false]);
    expect(r.asked).toEqual([]);
  });

  it('is asked again after a denial by policy', async () => {
    const r = rig({ a: { tokensPerDay: 100 } });
    r.spend('a', 100);
    const { question } = r.turn('a');
    r.asked[0]?.answer(deny('policy'));
    expect([await question?.answered, r.admits('a')]).toEqual([false, false]);
    expect(r.turn('a').question).not.toBeNull();
  });
});
