import { useCallback, useEffect, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import type { RunSummary } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { readableJson } from '../format/readable-json.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { ClockTime } from '../parts/time.tsx';
import { useAction } from '../state/action.ts';
import { JournalExport } from './journal-export.tsx';
import { TextBox } from './json-details.tsx';

type Page = MethodOutput<'runs.log'>;
type LogEvent = Page['events'][number];

/** Journal rows, and whether the hash chain between them is intact. */
export function RunJournal({ run }: { run: RunSummary }) {
  const { run: read, error, busy } = useAction('runs.log');
  const [events, setEvents] = useState<readonly LogEvent[]>([]);
  const [page, setPage] = useState<Pick<Page, 'hasMore' | 'total'> | null>(null);
  const [verified, setVerified] = useState<boolean | null>(null);
  const load = useCallback(
    async (before: readonly LogEvent[]) => {
      const result = await read({ run: run.id, after: before.at(-1)?.seq ?? 0 });
      if (!result.ok) return;
      setEvents([...before, ...result.value.events]);
      setPage(result.value);
      if (result.value.verified !== null) setVerified(result.value.verified);
    },
    [read, run.id],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that goes on writes more
  useEffect(() => void load([]), [load, run.status, run.stepsDone]);
  return (
    <section className="card stack" aria-label={t('workflows.journalTab')}>
      {verified !== null && (
        <p className={`verified${verified ? '' : ' is-broken'}`} role={verified ? 'status' : 'alert'}>
          <Icon name={verified ? 'check' : 'warning'} size={16} />{' '}
          {t(verified ? 'workflows.verified' : 'workflows.notVerified')}
        </p>
      )}
      {page !== null && <JournalExport run={run} total={page.total} />}
      <ErrorNote error={error} />
      {page === null && error === null && <Skeleton words={t('workflows.reading')} shape="text" count={8} />}
      <ol className="raw-list">
        {events.map((event) => (
          <JournalRow key={event.seq} event={event} />
        ))}
      </ol>
      {page?.hasMore === true && (
        <div>
          <button type="button" className="button is-small" disabled={busy} onClick={() => void load(events)}>
            {t('workflows.moreRows')}
          </button>
        </div>
      )}
    </section>
  );
}

function JournalRow({ event }: { event: LogEvent }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <code>{event.seq}</code> <ClockTime at={event.at} seconds /> {visibleLine(event.kind)}{' '}
          <code>{visibleLine(event.path)}</code>
        </summary>
        {open && (
          <>
            <TextBox label={`${event.seq} ${visibleLine(event.kind)}`} text={readableJson(event.json)} />
            <p className="fine hash-line">
              {t.rich('workflows.previous', { hash: () => <code>{visibleLine(event.previous)}</code> })}
            </p>
          </>
        )}
      </details>
    </li>
  );
}
