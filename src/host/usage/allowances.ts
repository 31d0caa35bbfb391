import { StoreError } from '../../core/lib/store-error.ts';
import type { AllowanceRow, UsageStore } from '../../services/db/usage-store.ts';

// What was asked and answered about budgets that are used up. An answer that the disk refuses holds in this run all the
// same; after a restart the question, stored with its answer, gives it again.

export interface AllowancesDeps {
  /** Throws `StoreError`s. Null while the vault is closed. */
  readonly store: () => UsageStore | null;
  /** Whether anything was ever recorded: reading makes no file. */
  readonly exists: () => boolean;
  readonly onFault: (error: StoreError) => void;
}

const maxKnown = 2_000;
const keyOf = (who: string, limit: string, period: string): string => `${period} ${limit} ${who}`;

export class Allowances {
  readonly #deps: AllowancesDeps;
  /** Null: it was looked up, and there is none. */
  readonly #known = new Map<string, AllowanceRow | null>();
  readonly #unsaved = new Map<string, AllowanceRow>();

  constructor(deps: AllowancesDeps) {
    this.#deps = deps;
  }

  /** `agentId` null: all together. Throws `StoreError` where it cannot be read. */
  of(agentId: string | null, limit: string, period: string): AllowanceRow | null {
    const who = agentId ?? '';
    const key = keyOf(who, limit, period);
    const known = this.#unsaved.get(key) ?? this.#known.get(key);
    if (known !== undefined) return known;
    const row = (this.#deps.exists() ? this.#deps.store()?.allowance(who, limit, period) : null) ?? null;
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(key, row);
    return row;
  }

  keep(row: AllowanceRow): void {
    const key = keyOf(row.who, row.limit, row.period);
    this.#unsaved.set(key, row);
    try {
      const store = this.#deps.store();
      if (!store) return;
      store.keepAllowance(row);
      this.#unsaved.delete(key);
      this.#known.set(key, row);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.onFault(error);
    }
  }

  /** Looks everything up anew, but for what is still to be saved. */
  reset(): void {
    this.#known.clear();
  }

  /** Together with the file. */
  forget(): void {
    this.#known.clear();
    this.#unsaved.clear();
  }
}
