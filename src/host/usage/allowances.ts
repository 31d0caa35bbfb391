import { StoreError } from '../../core/lib/store-error.ts';
import type { AllowanceRow, UsageStore } from '../../services/db/usage-store.ts';

// Answers to budget questions. If the disk rejects an answer, it still applies in this run; after a restart
// the stored question supplies it again.

export interface AllowancesDeps {
  /** Throws `StoreError`. `null` while the vault is closed. */
  readonly store: () => UsageStore | null;
  /** False if nothing was ever recorded; reading creates no file. */
  readonly exists: () => boolean;
  readonly onFault: (error: StoreError) => void;
}

const maxKnown = 2_000;
const keyOf = (who: string, limit: string, period: string): string => `${period} ${limit} ${who}`;

export class Allowances {
  readonly #deps: AllowancesDeps;
  /** `null` if the lookup found nothing. */
  readonly #known = new Map<string, AllowanceRow | null>();
  readonly #unsaved = new Map<string, AllowanceRow>();

  constructor(deps: AllowancesDeps) {
    this.#deps = deps;
  }

  /** `agentId` is `null` for all agents together. Throws `StoreError` if it is not readable. */
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

  /** Clears the cache, except for unsaved rows. */
  reset(): void {
    this.#known.clear();
  }

  /** Clears everything, because the file is deleted too. */
  forget(): void {
    this.#known.clear();
    this.#unsaved.clear();
  }
}
