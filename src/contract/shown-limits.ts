/** Limits of a budget as window and terminal show them. */
import type { UsageView } from './work.ts';

type Use = UsageView['used'][number];

/** Leaves out a limit that only simulated dollars touched: they have a bar of their own. */
export const shownUses = (used: readonly Use[]): readonly Use[] =>
  used.filter(
    ({ limit, scope, simulated, share }) =>
      simulated ||
      share > 0 ||
      !used.some((other) => other.simulated && other.limit === limit && other.scope === scope),
  );
