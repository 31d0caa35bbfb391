import { useMemo, useState } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import { isCalling } from '../../contract/operator-queue.ts';
import { t } from '../../language/texts.ts';
import { byWords } from '../format/order.ts';
import { Empty } from '../parts/empty.tsx';
import { Name } from '../parts/name.tsx';
import { useNow } from '../parts/time.tsx';
import { useAsked, useShown } from '../state/approvals.ts';
import { useQueue } from '../state/queue.ts';
import { AlikeGroup } from './approval-group.tsx';
import { AskList } from './ask-list.tsx';
import { hasQuestionFilter, isWanted, QuestionFilter, wantsAll } from './question-filter.tsx';
import { isOther, QueueRows } from './queue-rows.tsx';
import { clusters } from './similar-approvals.ts';

interface Group {
  readonly key: string;
  readonly name: string | null;
  readonly shown: readonly Approval[];
}

/** Number of approvals from which the filter is shown. */
const manyQuestions = 4;

/** Groups by agent, with snoozed approvals last. */
function groups(shown: readonly Approval[], now: number): readonly Group[] {
  const calling = shown.filter((approval) => isCalling(approval, now));
  const byAgent = new Map<string, Approval[]>();
  for (const approval of calling)
    byAgent.set(approval.agentId, [...(byAgent.get(approval.agentId) ?? []), approval]);
  const later = shown.filter((approval) => !isCalling(approval, now));
  return [
    ...[...byAgent]
      .map(([key, all]) => ({ key, name: all[0]?.agentName ?? key, shown: all }))
      .sort((a, b) => byWords(a.name, b.name)),
    ...(later.length === 0 ? [] : [{ key: ' later', name: null, shown: later }]),
  ];
}

/** Waiting approvals; the first one, or the one from the address, gets the focus. */
export function Waiting({ wanted }: { wanted: string | null }) {
  const asked = useAsked();
  const shown = useShown(asked);
  const now = useNow();
  const [filter, setFilter] = useState(wantsAll);
  const fitting = useMemo(() => shown.filter((one) => isWanted(filter, one)), [shown, filter]);
  const grouped = useMemo(() => groups(fitting, now), [fitting, now]);
  const waiting = new Set(asked.map((approval) => approval.id));
  const first = grouped
    .filter((group) => group.name !== null)
    .flatMap((group) => clusters(group.shown).flat())
    .find((approval) => waiting.has(approval.id));
  const others = useQueue().filter(isOther);
  if (shown.length + others.length === 0)
    return <Empty title={t('inbox.emptyTitle')}>{t('inbox.empty')}</Empty>;
  const focus = wanted !== null && waiting.has(wanted) ? wanted : (first?.id ?? null);
  return (
    <div className="ask-groups">
      {(shown.length >= manyQuestions || hasQuestionFilter(filter)) && (
        <QuestionFilter wanted={filter} answered={false} onChange={setFilter} />
      )}
      {shown.length > 0 && fitting.length === 0 && (
        <p className="card-empty" role="status">
          {t('inbox.noneFits')}{' '}
          <button type="button" className="link" onClick={() => setFilter(wantsAll)}>
            {t('inbox.showAll')}
          </button>
        </p>
      )}
      {grouped.map((group) => (
        <section key={group.key} aria-label={group.name ?? t('inbox.putOff')}>
          <h2 className="ask-group">{group.name === null ? t('inbox.putOff') : <Name>{group.name}</Name>}</h2>
          {group.name === null ? (
            <AskList shown={group.shown} focus={focus} />
          ) : (
            <Alike shown={group.shown} focus={focus} />
          )}
        </section>
      ))}
      {others.length > 0 && (
        <section className="card" aria-labelledby="queue-others">
          <h2 id="queue-others">{shown.length === 0 ? t('home.needsYou') : t('inbox.others')}</h2>
          <QueueRows items={others} />
        </section>
      )}
    </div>
  );
}

function Alike({ shown, focus }: { shown: readonly Approval[]; focus: string | null }) {
  return (
    <div className="ask-list">
      {clusters(shown).map((cluster) =>
        cluster.length === 1 ? (
          <AskList key={cluster[0].id} shown={cluster} focus={focus} />
        ) : (
          <AlikeGroup key={cluster[0].id} cluster={cluster} focus={focus} />
        ),
      )}
    </div>
  );
}
