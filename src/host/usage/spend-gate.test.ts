import { describe, expect, it } from 'vitest';
import { createVirtualClock, settle } from '../../../test/fakes/virtual-clock.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { type BudgetLimits, noLimits } from '../../core/models/budget.ts';
import { noUsage } from '../../core/models/messages.ts';
import { modelFacts } from '../../core/models/model-facts.ts';
import type { SpendRow } from '../../core/models/spend-gate.ts';
import type { LedgerRow, UsageStore } from '../../services/db/usage-store.ts';
import { createProblems } from '../problems.ts';
import { createBudgetScopes } from './budget-scopes.ts';
import { createBudgetWatch } from './budget-watch.ts';
import type { Budgets } from './budgets.ts';
import { dayOf, lastDays, untilTomorrow } from './days.ts';
import { Ledger, nothingSpent, spendOf } from './ledger.ts';
import { createSpendGate, type HostSpendGate } from './spend-gate.ts';

const gpt = { provider: 'openai', model: 'gpt-5' };
const scripted = { provider: 'scripted', model: 's' };

/** Rows in memory, with a disk that can fail. */
function memoryStore() {
  const rows: LedgerRow[] = [];
  const disk = { works: true };
  const need = (): void => {
    if (!disk.works) throw new StoreError('io_error', 'The disk failed.');
  };
  const store: UsageStore = {
    record(row) {
      need();
      if (rows.some(({ callId }) => callId === row.callId)) return false;
      rows.push(row);
      return true;
    },
    byAgentAndDay({ from, to }) {
      need();
      return rows
        .filter(({ day }) => day >= from && day <= to)
        .map(({ agentId, day, usage, usd, simulated }) => ({
          ...nothingSpent,
          agentId,
          day,
          calls: 1,
          input: usage.input,
          ...(simulated ? { simulatedUsd: usd ?? 0, simulated: usage.input } : { usd: usd ?? 0 }),
        }));
    },
    byDay: () => [],
    byModel: () => [],
    byThread: () => [],
    byTurn: () => [],
    allowance: () => null,
    keepAllowance: () => undefined,
    release: () => undefined,
  };
  return { rows, disk, store };
}

function rig(limits: Record<string, Partial<BudgetLimits>>, memory = memoryStore()) {
  const clock = createVirtualClock();
  const faults: string[] = [];
  const notes: AuditEntry[] = [];
  const ledger = new Ledger({
    store: () => memory.store,
    exists: () => true,
    onFault: ({ message }) => faults.push(message),
  });
  const problems = createProblems(clock, () => undefined);
  let gate: HostSpendGate;
  const watch = createBudgetWatch({
    clock,
    problems,
    nameOf: (id) => id,
    note: (entry) => notes.push(entry),
    look: (id) => gate.uses(id),
  });
  const budgets: Budgets = {
    nameOf: (id) => id,
    limits: (id) => ({ ...noLimits, ...limits[id ?? 'all'] }),
    price: (_agentId, name) => modelFacts(name, '2026-11-21').price,
  };
  gate = createSpendGate({
    ledger,
    scopes: createBudgetScopes({ clock, ledger, allowances: { of: () => null }, budgets }),
    questions: { about: () => null },
    budgets,
    onLimits: (id, uses) => watch.see(id, uses),
    onRecorded: () => undefined,
  });
  let made = 0;
  const spend = (agentId: string, tokens: number, more: Partial<SpendRow> = {}): void => {
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
      ...more,
    });
  };
  return { gate, ledger, problems, notes, faults, clock, spend, memory, watch };
}

const request = (agentId: string, output: number) => ({ agentId, target: gpt, input: 0, output });
const going = (): AbortSignal => new AbortController().signal;

describe('Reservations of the spend gate', () => {
  it('T27: lets parallel requests exceed a limit by no more than one of them', async () => {
    const { gate, spend } = rig({ a: { tokensPerDay: 1_000 } });
    const first = await gate.reserve(request('a', 1_000), going());
    let isAdmitted = false;
    const second = gate.reserve(request('a', 1_000), going()).then((result) => {
      isAdmitted = true;
      return result;
    });
    await settle();
    expect(isAdmitted).toBe(false);
    spend('a', 900);
    if (first.ok) first.value.release();
    const held = await second;
    expect(held.ok).toBe(true);
    spend('a', 900);
    if (held.ok) held.value.release();
    expect(await gate.reserve(request('a', 1), going())).toMatchObject({ ok: false });
  });

  it('T27: counts the requests of all agents against the common limit, and each once', async () => {
    const { gate } = rig({ all: { tokensPerDay: 1_000 }, a: { tokensPerDay: 10_000 } });
    const held = await gate.reserve(request('b', 1_000), going());
    const waiting = new AbortController();
    const refused = gate.reserve(request('a', 10), waiting.signal);
    waiting.abort();
    expect(await refused).toMatchObject({ error: { code: 'cancelled' } });
    if (!held.ok) throw new Error(held.error.message);
    held.value.release();
    held.value.release();
    expect((await gate.reserve(request('a', 10), going())).ok).toBe(true);
  });
});

describe('Spend gate', () => {
  it('admits all calls without limits and records their cost', () => {
    const { gate, spend, memory, ledger, clock } = rig({});
    expect(gate.admit('a', { provider: 'ollama', model: 'x' })).toEqual({ ok: true, value: undefined });
    spend('a', 1_000_000);
    expect(memory.rows).toMatchObject([{ usd: 1.25, day: dayOf(clock.now()) }]);
    expect(spendOf(ledger.spent('a', dayOf(clock.now())))).toEqual({
      tokens: 1_000_000,
      usd: 1.25,
      unpriced: 0,
      simulated: false,
    });
  });
  it('warns at 80 %, stops at 100 % with one audit entry, and reopens the next day', async () => {
    const { gate, spend, problems, notes, clock } = rig({ a: { tokensPerDay: 100 } });
    spend('a', 80);
    expect(gate.admit('a', gpt).ok).toBe(true);
    expect(problems.list()).toMatchObject([
      { severity: 'warning', message: expect.stringMatching(/80 of 100/) },
    ]);
    spend('a', 20);
    const refused = gate.admit('a', gpt);
    expect(refused).toMatchObject({
      error: { code: 'rate_limited', hint: expect.stringContaining('kennel budget a --tokens-per-day N') },
    });
    gate.admit('a', gpt);
    expect(problems.list()).toMatchObject([{ severity: 'error' }]);
    expect(notes).toMatchObject([{ kind: 'budget', agentId: 'a', outcome: 'stopped' }]);
    expect(gate.admit('b', gpt).ok).toBe(true);
    await clock.advance(untilTomorrow(clock.now()) + 2_000);
    expect(problems.list()).toEqual([]);
    expect(gate.admit('a', gpt).ok).toBe(true);
  });
  it('stops every agent if the shared budget is used up', () => {
    const { gate, spend } = rig({ all: { usdPerMonth: 2 } });
    spend('a', 1_000_000);
    spend('b', 1_000_000);
    expect(gate.admit('c', gpt)).toMatchObject({
      error: { message: expect.stringMatching(/of all agents is used up/) },
    });
  });
  it('refuses models of unknown price under a money cap', () => {
    const { gate } = rig({ a: { usdPerDay: 1 } });
    expect(gate.admit('a', { provider: 'ollama', model: 'x' })).toMatchObject({
      error: { hint: expect.stringContaining('ollama/x') },
    });
    expect(gate.admit('a', gpt).ok).toBe(true);
  });
  it('counts simulated demo dollars against a separate cap', () => {
    const { gate, spend, ledger, clock, problems } = rig({ a: { usdPerDay: 0.01 } });
    expect(gate.admit('a', scripted).ok).toBe(true);
    spend('a', 1_000_000, { ...scripted, simulated: true });
    expect(gate.admit('a', scripted)).toMatchObject({
      error: { message: 'The budget of a is used up: $1.00 of $0.01 simulated, today.' },
    });
    expect(problems.list()).toMatchObject([{ id: 'budget-a-usdPerDay-simulated', severity: 'error' }]);
    expect(gate.admit('a', gpt).ok).toBe(true);
    expect(spendOf(ledger.spent('a', dayOf(clock.now())))).toMatchObject({ usd: 1, simulated: true });
  });
  it('counts a repeated call id once', () => {
    const { spend, ledger, clock } = rig({});
    spend('a', 10, { callId: 'same' });
    spend('a', 10, { callId: 'same' });
    expect(ledger.spent('a', dayOf(clock.now())).input).toBe(10);
  });
  it('reports the known cost beside unpriced tokens', () => {
    const { spend, ledger, clock } = rig({});
    spend('a', 1_000_000);
    spend('a', 50, { provider: 'ollama', model: 'x' });
    const day = dayOf(clock.now());
    expect(spendOf(ledger.spent('a', day))).toEqual({
      tokens: 1_000_050,
      usd: 1.25,
      unpriced: 50,
      simulated: false,
    });
    spend('b', 50, { provider: 'ollama', model: 'x' });
    expect(spendOf(ledger.spent('b', day))).toMatchObject({ usd: null, unpriced: 50 });
  });
  it('admits OpenRouter under a money cap while it reports its costs', () => {
    const { gate, spend, memory } = rig({ a: { usdPerDay: 1 } });
    const router = { provider: 'openrouter', model: 'some/model' };
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.4 };
    const usage = { ...noUsage, input: 7, totalTokens: 7 };
    expect([gate.admit('a', router).ok, gate.isPriced('a', router)]).toEqual([true, true]);
    spend('a', 7, { ...router, usage: { ...usage, cost } });
    // An aborted response cannot report its cost.
    spend('a', 7, { ...router, unfinished: true });
    expect(memory.rows.map(({ usd }) => usd)).toEqual([0.4, null]);
    expect(gate.admit('a', router).ok).toBe(true);
    spend('a', 7, router);
    expect(gate.admit('a', router)).toMatchObject({
      error: { message: expect.stringMatching(/price of openrouter\/some\/model is unknown/) },
    });
  });
  it('restores earlier spending at start', () => {
    const { memory, spend } = rig({});
    spend('a', 100);
    expect(rig({ a: { tokensPerDay: 100 } }, memory).gate.admit('a', gpt).ok).toBe(false);
  });
  it('F4 keeps spending in memory during a disk failure and stays closed', () => {
    const { gate, spend, memory, faults, ledger, clock } = rig({ a: { tokensPerDay: 100 } });
    gate.admit('a', gpt);
    memory.disk.works = false;
    spend('a', 60);
    spend('a', 60);
    expect(faults).toHaveLength(2);
    expect(gate.admit('a', gpt).ok).toBe(false);
    memory.disk.works = true;
    spend('b', 1);
    expect(memory.rows.map(({ agentId }) => agentId)).toEqual(['a', 'a', 'b']);
    expect(ledger.spent('a', dayOf(clock.now())).input).toBe(120);
  });
  it('refuses limited agents while the ledger cannot be read', () => {
    const { gate, memory } = rig({ a: { tokensPerDay: 100 } });
    memory.disk.works = false;
    expect(gate.admit('a', gpt)).toMatchObject({ error: { code: 'io_error' } });
    expect(gate.admit('b', gpt).ok).toBe(true);
  });
  it('keeps a month of the ledger correct after other months were read', () => {
    const { ledger, spend } = rig({});
    spend('a', 5);
    const today = dayOf(createVirtualClock().now());
    for (const month of ['2025-01', '2025-02', '2025-03', '2025-04']) ledger.spent('a', month);
    expect(ledger.spent('a', today).input).toBe(5);
  });
});

describe('Day list', () => {
  it('has no gaps and ends today', () => {
    const days = lastDays(new Date(2026, 2, 30, 0, 30).getTime(), 3);
    expect(days).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
  });
});
