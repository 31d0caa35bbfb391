import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { UsageView } from '../../contract/work.ts';
import { spendWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { listed } from '../format/listed.ts';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useReplica } from '../state/subscriptions.ts';
import { BudgetCard } from './budget-card.tsx';
import { DayBars } from './day-bars.tsx';
import { ModelTable } from './model-table.tsx';

const days = 30;

/** Usage, cost and budget of one agent, or of all if `agent` is `null`. */
export function UsagePanel({ agent, spent }: { agent: string | null; spent: number }) {
  const { link } = useReplica();
  const [usage, setUsage] = useState<UsageView | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('usage.get', { days, ...(agent === null ? {} : { agent }) });
    if (result.ok) setUsage(result.value);
    setError(result.ok ? null : result.error);
  }, [link, agent]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was spent meanwhile is the reason to read again
  useEffect(() => void load(), [load, spent]);
  return (
    <div className="stack usage">
      <ErrorNote error={error} />
      {usage === null && error === null && (
        <Skeleton words={t('usage.reading')} shape="rows" count={6} card />
      )}
      {usage !== null && <Usage usage={usage} agent={agent} onChanged={() => void load()} />}
    </div>
  );
}

interface UsageOf {
  readonly usage: UsageView;
  readonly agent: string | null;
  onChanged(): void;
}

function Usage({ usage, agent, onChanged }: UsageOf) {
  const simulated =
    usage.days.some((day) => day.simulated) || usage.byModel.some((one) => one.spend.simulated);
  const unknown = usage.byModel.filter((one) => one.spend.unpriced > 0).map((one) => one.model);
  return (
    <>
      <dl className="spend-now">
        <div>
          <dt>{t('usage.today')}</dt>
          <dd>{spendWords(usage.today)}</dd>
        </div>
        <div>
          <dt>{t('usage.month')}</dt>
          <dd>{spendWords(usage.month)}</dd>
        </div>
      </dl>
      {simulated && (
        <Note tone="plain">
          <p>
            <span className="chip is-scripted">{t('usage.simulatedChip')}</span> {t('usage.simulatedText')}
          </p>
        </Note>
      )}
      {unknown.length > 0 && (
        <Note tone="warning">
          <p>{t('usage.noPrice', { models: listed(unknown) })}</p>
        </Note>
      )}
      {usage.days.length === 0 ? (
        <p className="card-empty">{t('usage.nothing', { days })}</p>
      ) : (
        <div className="two-columns is-even">
          <DayBars days={usage.days} what="tokens" />
          <DayBars days={usage.days} what="money" />
        </div>
      )}
      <div className="two-columns is-even">
        <ModelTable models={usage.byModel} />
        <BudgetCard key={JSON.stringify(usage.budget)} usage={usage} agent={agent} onChanged={onChanged} />
      </div>
    </>
  );
}
