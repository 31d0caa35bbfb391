import { type ReactNode, useMemo } from 'react';
import type { HostClient } from '../../contract/host-api.ts';
import { runStatuses } from '../../contract/run-states.ts';
import type { RunSummary } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { visibleLine } from '../format/visible-text.ts';
import { type Arrangement, byLatest, bySpend, type GroupName } from '../lists/arrange.ts';
import { ArrangedList } from '../lists/arranged-list.tsx';
import type { BulkAction } from '../lists/bulk.ts';
import { type Arranged, usePreferences } from '../state/preferences.ts';
import { showError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { RunListRow } from './run-row.tsx';
import { runStatusWords } from './step-text.ts';
import { archiveChanged } from './use-runs.ts';

type Compare = (a: RunSummary, b: RunSummary) => number;

const titleOf = ({ name }: RunSummary): string => (name === '' ? t('workflows.unnamed') : visibleLine(name));
const byNewest: Compare = (a, b) => b.createdAt - a.createdAt;
const order: readonly string[] = runStatuses;
const rankOf = ({ status }: RunSummary): number => order.indexOf(status);

const compareBy: Readonly<Record<Arranged<'runs'>['sort'], Compare | null>> = {
  default: null,
  name: (a, b) => byWords(titleOf(a), titleOf(b)) || byNewest(a, b),
  state: (a, b) => rankOf(a) - rankOf(b) || byNewest(a, b),
  activity: byLatest(({ endedAt, createdAt }) => endedAt ?? createdAt, byNewest),
  spend: bySpend(
    ({ costUsd, simulatedUsd, unpriced }) => ({ usd: costUsd + simulatedUsd, tokens: unpriced }),
    byNewest,
  ),
};

const groupBy: Readonly<Record<'state' | 'workflow', (run: RunSummary) => GroupName>> = {
  state: ({ status }) => ({ key: status, title: runStatusWords(status) }),
  workflow: (run) => ({ key: run.name, title: titleOf(run) }),
};

const runArrangement = ({ sort, group }: Arranged<'runs'>): Arrangement<RunSummary> => {
  const rank = ({ key }: GroupName): number => order.indexOf(key);
  return {
    keyOf: ({ id }) => id,
    compare: compareBy[sort],
    groupOf: group === 'none' ? null : groupBy[group],
    compareGroups: (a, b) => (group === 'state' ? rank(a) - rank(b) : byWords(a.title, b.title)),
  };
};

async function archive(link: HostClient, archived: boolean, runs: string[]) {
  const result = await link.call('runs.archive', { archived, runs });
  archiveChanged();
  return result;
}

const runActions = (link: HostClient): readonly BulkAction<RunSummary>[] => [
  {
    key: 'retry',
    icon: 'loop',
    label: t('workflows.retryFailed'),
    fits: ({ status }) => status === 'failed',
    run: ({ id }) => link.call('runs.retry', { run: id }),
    done: (n) => t('workflows.retriedMany', { n }),
  },
  {
    key: 'cancel',
    icon: 'stop',
    label: t('workflows.cancelMany'),
    confirm: (n) => ({
      title: t('workflows.cancelManyTitle', { n }),
      text: t('workflows.cancelManyText'),
    }),
    fits: ({ endedAt }) => endedAt === null,
    run: ({ id }) => link.call('runs.cancel', { run: id }),
    done: (n) => t('workflows.cancelledMany', { n }),
  },
  {
    key: 'archive',
    icon: 'box',
    label: t('workflows.archive'),
    fits: ({ endedAt, archivedAt }) => endedAt !== null && archivedAt === null,
    run: ({ id }) => archive(link, true, [id]),
    done: (n) => t('workflows.archivedMany', { n }),
    undo: (runs) =>
      void archive(
        link,
        false,
        runs.map(({ id }) => id),
      ).then((result) => !result.ok && showError(result.error)),
  },
  {
    key: 'unarchive',
    icon: 'box',
    label: t('workflows.unarchive'),
    fits: ({ archivedAt }) => archivedAt !== null,
    run: ({ id }) => archive(link, false, [id]),
    done: (n) => t('workflows.unarchivedMany', { n }),
  },
];

const nameOf = (run: RunSummary): string => `${titleOf(run)} ${run.id.slice(0, 8)}`;

interface RowsOf {
  readonly runs: readonly RunSummary[];
  /** Shown instead of the rows if none exist. */
  readonly none: ReactNode;
  /** Loads further runs; absent if all are given. */
  onMore?(): void;
}

export function RunRows({ runs, none, onMore }: RowsOf) {
  const { link } = useReplica();
  const chosen = usePreferences(({ lists }) => lists.runs);
  const by = useMemo(() => runArrangement(chosen), [chosen]);
  return (
    <ArrangedList
      list="runs"
      label={t('workflows.allRuns')}
      rows={runs}
      by={by}
      actions={runActions(link)}
      none={none}
      nameOf={nameOf}
      render={(run, reachable) => <RunListRow run={run} reachable={reachable} />}
      {...(onMore ? { more: { label: t('workflows.earlier'), load: onMore } } : {})}
    />
  );
}
