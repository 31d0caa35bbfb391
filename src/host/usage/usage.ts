import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Spend, UsageView } from '../../contract/work.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import { despiteStore, StoreError } from '../../core/lib/store-error.ts';
import { type BudgetLimits, noLimits } from '../../core/models/budget.ts';
import type { SpendGate } from '../../core/models/spend-gate.ts';
import type { Log } from '../../core/ports.ts';
import type { UsageStore } from '../../services/db/usage-store.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import type { WatchStore } from '../store-watch.ts';
import { Allowances } from './allowances.ts';
import { createBudgetWatch } from './budget-watch.ts';
import { unreadable } from './budget-words.ts';
import { dayOf, monthOf } from './days.ts';
import { Ledger, type LedgerDeps, spendOf } from './ledger.ts';
import { createSpendGate } from './spend-gate.ts';
import { SpendQuestions, type SpendQuestionsDeps } from './spend-questions.ts';
import { viewUsage } from './usage-view.ts';

export interface UsageService {
  /** Checked before every model request and updated after every response. */
  readonly gate: SpendGate;
  /** Opens the ledger once the vault is open. */
  open(parts: Pick<OpenParts, 'keys'>): Promise<void>;
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

type Parts = Pick<HostContext, 'ports' | 'layout' | 'disk' | 'problems' | 'settings' | 'agents'> & {
  readonly models: Pick<HostContext['models'], 'known'>;
};

export interface UsageDeps extends Parts, Pick<SpendQuestionsDeps, 'attended' | 'ask' | 'waitingUnder'> {
  readonly watchStore: WatchStore;
  readonly note: (entry: AuditEntry) => void;
  readonly onRecorded: (agentId: string) => void;
}

const locked = appError('locked', 'What was spent is locked with your secrets.', {
  hint: 'Run "kennel unlock".',
});
const unknownSpend: Spend = { tokens: 0, usd: null, unpriced: 0, simulated: false };

const limitsOf = (budget: AgentConfig['budget']): BudgetLimits => ({
  tokensPerDay: budget.tokens_per_day,
  tokensPerMonth: budget.tokens_per_month,
  usdPerDay: budget.usd_per_day,
  usdPerMonth: budget.usd_per_month,
});

export function createUsage(deps: UsageDeps): UsageService {
  const { settings, problems, ports } = deps;
  const { clock, log } = ports;
  const path = join(deps.layout.home, 'usage.db');
  const file = createLazyStore(deps, path);
  const stored = { store: file.store, exists: () => existsSync(path), onFault: faultLogger(log) };
  const ledger = new Ledger(stored);
  const allowances = new Allowances(stored);
  const limits = (agentId: string | null): BudgetLimits => {
    if (agentId === null) return limitsOf(settings.config().budget);
    const config = deps.agents.get(agentId)?.lastGood;
    return config ? limitsOf(config.budget) : noLimits;
  };
  const nameOf = (agentId: string): string => deps.agents.get(agentId)?.lastGood?.display_name || agentId;
  const questions = new SpendQuestions({ ...deps, clock, allowances, nameOf });
  const gate = createSpendGate({
    clock,
    ledger,
    allowances,
    questions,
    limits,
    nameOf,
    price: (agentId, name) => deps.models.known(agentId, name).price,
    onLimits: (agentId, uses) => watch.see(agentId, uses),
    onRecorded: deps.onRecorded,
  });
  const look = (agentId: string | null) => despiteStore(() => gate.uses(agentId), []);
  const watch = createBudgetWatch({ clock, problems, nameOf, look, note: deps.note });

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
      file.close();
      for (const suffix of ['', '-wal', '-shm', '.key']) {
        const gone = deps.disk.remove(path + suffix);
        if (!gone.ok) return gone;
      }
      ledger.forget();
      allowances.forget();
      return ok(undefined);
    },
    spentToday: (agentId) =>
      despiteStore(() => spendOf(ledger.spent(agentId, dayOf(clock.now()))), unknownSpend),
    ofTurns: spentOn(stored),
    view(agentId, days) {
      try {
        const now = clock.now();
        const day = dayOf(now);
        const question = {
          agentId,
          days,
          now,
          budget: limits(agentId),
          uses: gate.uses(agentId),
          today: ledger.spent(agentId, day),
          month: ledger.spent(agentId, monthOf(day)),
        };
        const store = existsSync(path) ? file.store() : null;
        if (!store && existsSync(path)) return err(locked);
        return ok(viewUsage(store, question));
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return err(unreadable(error.message));
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

const faultLogger =
  (log: Log) =>
  ({ code, message }: StoreError): void =>
    log.warn('usage_not_saved', { code, message });

/** Created on first use: a host that never asked a model has no ledger. */
function createLazyStore({ ports, watchStore }: UsageDeps, path: string) {
  let make: (() => UsageStore) | null = null;
  let store: UsageStore | null = null;
  return {
    async open(storeKey: OpenParts['keys']['storeKey']): Promise<void> {
      if (make) return;
      const { openUsageStore } = await import('../../services/db/usage-store.ts');
      const { clock, log } = ports;
      make = () => {
        const key = storeKey(path);
        if (!key.ok)
          throw new StoreError(key.error.code === 'corrupt' ? 'locked' : 'io_error', key.error.message);
        return openUsageStore({ path, key: key.value, clock, log, ...watchStore('what the agents used') });
      };
    },
    store(): UsageStore | null {
      store ??= make?.() ?? null;
      return store;
    },
    close(): void {
      store?.release();
      store = null;
      make = null;
    },
  };
}
