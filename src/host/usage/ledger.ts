import type { Spend } from '../../contract/work.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Used } from '../../core/models/budget.ts';
import type { LedgerRow, Spending, UsageStore } from '../../services/db/usage-store.ts';
import { monthOf } from './days.ts';

// Cached sums of the ledger, so that a budget check adds nothing up. A row that the disk rejects still counts
// and is written with a later one.

export interface LedgerDeps {
  /** Throws `StoreError`. `null` while the vault is closed. */
  readonly store: () => UsageStore | null;
  /** False if nothing was ever recorded; reading creates no file. */
  readonly exists: () => boolean;
  readonly onFault: (error: StoreError) => void;
}

export const nothingSpent: Spending = {
  calls: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  usd: 0,
  simulatedUsd: 0,
  unpriced: 0,
  simulated: 0,
};

const maxUnsaved = 10_000;
const maxMonths = 3;

export const tokensOf = ({ input, output, cacheRead, cacheWrite }: Spending): number =>
  input + output + cacheRead + cacheWrite;

export const usedOf = (spending: Spending): Used => ({
  tokens: tokensOf(spending),
  usd: spending.usd,
  simulatedUsd: spending.simulatedUsd,
});

/**
 * Simulated prices are shown only if all usage is simulated. A known sum is shown even if some tokens have no
 * price.
 */
export function spendOf(spending: Spending): Spend {
  const tokens = tokensOf(spending);
  if (spending.simulated > 0 && spending.simulated === tokens)
    return { tokens, usd: spending.simulatedUsd, unpriced: 0, simulated: true };
  const { unpriced } = spending;
  return {
    tokens,
    usd: unpriced > 0 && spending.usd === 0 ? null : spending.usd,
    unpriced,
    simulated: false,
  };
}

const plus = (a: Spending, b: Spending): Spending => ({
  calls: a.calls + b.calls,
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  usd: a.usd + b.usd,
  simulatedUsd: a.simulatedUsd + b.simulatedUsd,
  unpriced: a.unpriced + b.unpriced,
  simulated: a.simulated + b.simulated,
});

function spendingOf({ usage, usd, simulated }: LedgerRow): Spending {
  const { input, output, cacheRead, cacheWrite } = usage;
  const tokens = input + output + cacheRead + cacheWrite;
  return {
    calls: 1,
    input,
    output,
    cacheRead,
    cacheWrite,
    usd: simulated ? 0 : (usd ?? 0),
    simulatedUsd: simulated ? (usd ?? 0) : 0,
    unpriced: usd === null ? tokens : 0,
    simulated: simulated ? tokens : 0,
  };
}

export class Ledger {
  readonly #deps: LedgerDeps;
  /** By day or month, and by agent or in total. */
  readonly #sums = new Map<string, Spending>();
  readonly #months = new Set<string>();
  #unsaved: LedgerRow[] = [];

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  /** `period` is a day or a month. Throws `StoreError` if the sums are not readable. */
  spent(agentId: string | null, period: string): Spending {
    this.#load(monthOf(period));
    return this.#sums.get(`${period} ${agentId ?? ''}`) ?? nothingSpent;
  }

  /** Returns false if this call was already counted. */
  record(row: LedgerRow): boolean {
    if (this.#isUnsaved(row)) return false;
    try {
      this.#load(monthOf(row.day));
      this.#flush();
      const store = this.#deps.store();
      if (!store) return this.#keep(row);
      if (!store.record(row)) return false;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.onFault(error);
      return this.#keep(row);
    }
    this.#add(row.agentId, row.day, spendingOf(row));
    return true;
  }

  /** Clears the sums, but not the unsaved rows. */
  reset(): void {
    this.#sums.clear();
    this.#months.clear();
    for (const row of this.#unsaved) this.#add(row.agentId, row.day, spendingOf(row));
  }

  /** Clears everything, because the file is deleted too. */
  forget(): void {
    this.#unsaved = [];
    this.reset();
  }

  #isUnsaved({ callId }: LedgerRow): boolean {
    return this.#unsaved.some((row) => row.callId === callId);
  }

  #keep(row: LedgerRow): true {
    this.#unsaved.push(row);
    if (this.#unsaved.length > maxUnsaved) this.#unsaved.shift();
    this.#add(row.agentId, row.day, spendingOf(row));
    return true;
  }

  #flush(): void {
    const store = this.#deps.store();
    for (let row = this.#unsaved[0]; store && row; row = this.#unsaved[0]) {
      this.#load(monthOf(row.day));
      store.record(row);
      this.#unsaved.shift();
    }
  }

  #load(month: string): void {
    if (this.#months.has(month)) return;
    const store = this.#deps.exists() ? this.#deps.store() : null;
    const rows = store?.byAgentAndDay({ from: `${month}-01`, to: `${month}-31`, agentId: null }) ?? [];
    if (this.#months.size >= maxMonths) this.reset();
    for (const row of rows) this.#add(row.agentId, row.day, row);
    this.#months.add(month);
  }

  #add(agentId: string, day: string, spending: Spending): void {
    for (const period of [day, monthOf(day)])
      for (const who of [agentId, '']) {
        const key = `${period} ${who}`;
        this.#sums.set(key, plus(this.#sums.get(key) ?? nothingSpent, spending));
      }
  }
}
