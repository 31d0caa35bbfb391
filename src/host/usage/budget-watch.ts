import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { LimitUse } from '../../core/models/budget.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import type { Problems } from '../problems.ts';
import { nearlyUsedUp, usedUp, type Whose } from './budget-words.ts';
import { periodOf, untilTomorrow } from './days.ts';

export interface BudgetWatchDeps {
  readonly clock: Clock;
  readonly problems: Problems;
  nameOf(agentId: string): string;
  /** One line of the audit log each time a limit stops somebody. */
  note(entry: AuditEntry): void;
  /** A new day, or other limits: how they stand now. */
  look(agentId: string | null): readonly LimitUse[];
}

/** Shows limits that are nearly or wholly used up, for as long as they are. */
export interface BudgetWatch {
  see(agentId: string | null, uses: readonly LimitUse[]): void;
  /** Looks again at everything that is shown. */
  refresh(): void;
  stop(): void;
}

/** A little after midnight, so that it is the new day for certain. */
const slackMs = 1_000;

export function createBudgetWatch(deps: BudgetWatchDeps): BudgetWatch {
  const { clock, problems } = deps;
  /** Problem id to the agent it is about. */
  const shown = new Map<string, string | null>();
  /** Limits that were told as broken, with the period it was in. */
  const noted = new Map<string, string>();
  let timer: Timer | null = null;

  const idOf = (whose: string | null, { limit, simulated }: LimitUse): string =>
    `budget-${whose ?? 'all'}-${limit}${simulated ? '-simulated' : ''}`;

  const tell = (id: string, use: LimitUse, whose: Whose): void => {
    if (use.state === 'warn') problems.set(id, 'warning', nearlyUsedUp(use, whose));
    if (use.state !== 'stop') return;
    const error = usedUp(use, whose);
    problems.set(id, 'error', error);
    // A limit that was raised and is used up again is told again.
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

  /** The ids of what is shown now. */
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
