import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { LimitUse } from '../../core/models/budget.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import type { Problems } from '../problems.ts';
import { nearlyUsedUp, usedUp, type Whose } from './budget-errors.ts';
import { periodOf, untilTomorrow } from './days.ts';

export interface BudgetWatchDeps {
  readonly clock: Clock;
  readonly problems: Problems;
  nameOf(agentId: string): string;
  note(entry: AuditEntry): void;
  /** Current state of the limits, after a new day or changed limits. */
  look(agentId: string | null): readonly LimitUse[];
}

/** Shows limits as problems while they are nearly or fully used. */
export interface BudgetWatch {
  see(agentId: string | null, uses: readonly LimitUse[]): void;
  refresh(): void;
  stop(): void;
}

/** ms after midnight, to be safely in the new day. */
const slackMs = 1_000;

export function createBudgetWatch(deps: BudgetWatchDeps): BudgetWatch {
  const { clock, problems } = deps;
  /** Agent by problem id. */
  const shown = new Map<string, string | null>();
  /** Exceeded limits already logged, with their period. */
  const noted = new Map<string, string>();
  let timer: Timer | null = null;

  const idOf = (whose: string | null, { limit, simulated }: LimitUse): string =>
    `budget-${whose ?? 'all'}-${limit}${simulated ? '-simulated' : ''}`;

  const tell = (id: string, use: LimitUse, whose: Whose): void => {
    const about = { kind: 'budget', agentId: whose.agentId } as const;
    if (use.state === 'warn') problems.set(id, 'warning', nearlyUsedUp(use, whose), about);
    if (use.state !== 'stop') return;
    const error = usedUp(use, whose);
    problems.set(id, 'error', error, about);
    // A raised limit that is exceeded again is logged again.
    const told = `${periodOf(use.limit, clock.now())} ${use.max}`;
    if (noted.get(id) === told) return;
    noted.set(id, told);
    const agentId = whose.agentId ?? '';
    deps.note({ kind: 'budget', agentId, tool: '', digest: '', outcome: 'stopped', detail: error.message });
  };

  const tomorrow = (): void => {
    timer?.cancel();
    timer = null;
    if (shown.size === 0) return;
    const wait = untilTomorrow(clock.now()) + slackMs;
    timer = clock.after(wait, () => watch.refresh(), { unref: true });
  };

  const show = (agentId: string | null, uses: readonly LimitUse[]): ReadonlySet<string> => {
    const seen = new Set<string>();
    for (const use of uses.filter(({ state }) => state !== 'fine')) {
      const about = use.scope === 'total' ? null : agentId;
      const id = idOf(about, use);
      seen.add(id);
      shown.set(id, about);
      tell(id, use, { agentId: about, name: about === null ? 'all agents' : deps.nameOf(about) });
    }
    return seen;
  };

  const watch: BudgetWatch = {
    see(agentId, uses) {
      const before = shown.size;
      const seen = show(agentId, uses);
      for (const [id, about] of shown) {
        if (seen.has(id) || (about !== null && about !== agentId)) continue;
        shown.delete(id);
        problems.clear(id);
      }
      if (shown.size !== before) tomorrow();
    },
    refresh() {
      for (const agentId of new Set(shown.values())) watch.see(agentId, deps.look(agentId));
      tomorrow();
    },
    stop() {
      timer?.cancel();
      timer = null;
    },
  };
  return watch;
}
