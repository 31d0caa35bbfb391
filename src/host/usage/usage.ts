import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Spend, UsageView } from '../../contract/work.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import type { SpendGate } from '../../core/models/spend-gate.ts';
import type { Clock } from '../../core/ports.ts';
import type { Problems } from '../problems.ts';
import type { AccountKeys } from '../vault/account-keys.ts';
import { Allowances } from './allowances.ts';
import { unreadableUsage } from './budget-errors.ts';
import { createBudgetScopes } from './budget-scopes.ts';
import { createBudgetWatch } from './budget-watch.ts';
import type { Budgets } from './budgets.ts';
import { dayOf, monthOf } from './days.ts';
import { Ledger, type LedgerDeps, spendOf } from './ledger.ts';
import { createSpendGate } from './spend-gate.ts';
import { type SpendApprovals, SpendQuestions } from './spend-questions.ts';
import type { UsageFile } from './usage-file.ts';
import { viewUsage } from './usage-view.ts';

export interface UsageService {
  /** Checked before every model request and updated after every response. */
  readonly gate: SpendGate;
  /** Opens the ledger once the vault is open. */
  open(parts: { readonly keys: Pick<AccountKeys, 'storeKey'> }): Promise<void>;
  close(): void;
  /** Deletes the ledger together with the vault. */
  erase(): Result<void>;
  /** `agentId` is `null` for all agents together. Unknown while the ledger is not readable. */
  spentToday(agentId: string | null): Spend;
  /** Cost per turn; a turn is missing if it used nothing or the ledger is not readable. */
  ofTurns(turnIds: readonly string[]): ReadonlyMap<string, Spend>;
  view(agentId: string | null, days: number): Result<UsageView>;
  budgetChanged(agentId: string | null): void;
}

export interface UsageDeps {
  readonly clock: Clock;
  readonly file: UsageFile;
  readonly budgets: Budgets;
  readonly problems: Problems;
  readonly approvals: SpendApprovals & { note(entry: AuditEntry): void };
  readonly onRecorded: (agentId: string) => void;
}

const locked = fail('locked', 'usage.spendingLocked', {}, { help: 'approvals.runUnlock' });
const unknownSpend: Spend = { tokens: 0, usd: null, unpriced: 0, simulated: false };

export function createUsage({
  clock,
  file,
  budgets,
  problems,
  approvals,
  onRecorded,
}: UsageDeps): UsageService {
  const { nameOf } = budgets;
  const ledger = new Ledger(file);
  const allowances = new Allowances(file);
  const questions = new SpendQuestions({ clock, allowances, nameOf, approvals });
  const gate = createSpendGate({
    ledger,
    scopes: createBudgetScopes({ clock, ledger, allowances, budgets }),
    questions,
    budgets,
    onLimits: (agentId, uses) => watch.see(agentId, uses),
    onRecorded,
  });
  const look = (agentId: string | null) => despiteStore(() => gate.uses(agentId), []);
  const watch = createBudgetWatch({ clock, problems, nameOf, look, note: approvals.note });

  return {
    gate,
    async open({ keys }) {
      await file.open(keys.storeKey);
      ledger.reset();
      allowances.reset();
    },
    close: () => {
      for (const part of [watch, questions]) part.stop();
      file.close();
    },
    erase() {
      const gone = file.erase();
      if (!gone.ok) return gone;
      ledger.forget();
      allowances.forget();
      return ok(undefined);
    },
    spentToday: (agentId) =>
      despiteStore(() => spendOf(ledger.spent(agentId, dayOf(clock.now()))), unknownSpend),
    ofTurns: spentOn(file),
    view(agentId, days) {
      try {
        const now = clock.now();
        const day = dayOf(now);
        const question = {
          agentId,
          days,
          now,
          budget: budgets.limits(agentId),
          uses: gate.uses(agentId),
          today: ledger.spent(agentId, day),
          month: ledger.spent(agentId, monthOf(day)),
        };
        const store = file.exists() ? file.store() : null;
        if (!store && file.exists()) return err(locked);
        return ok(viewUsage(store, question));
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return err(unreadableUsage(error.message));
      }
    },
    budgetChanged(agentId) {
      watch.see(agentId, look(agentId));
      watch.refresh();
      questions.refresh();
    },
  };
}

const spentOn =
  ({ store, exists }: Pick<LedgerDeps, 'store' | 'exists'>): UsageService['ofTurns'] =>
  (turnIds) =>
    despiteStore(() => {
      const rows = exists() ? store()?.byTurn(turnIds) : undefined;
      return new Map((rows ?? []).map((row) => [row.turnId, spendOf(row)]));
    }, new Map());
