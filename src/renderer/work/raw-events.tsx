import { useCallback, useEffect, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import type { Result } from '../../contract/result.ts';
import type { RawEvent, TurnSummary } from '../../contract/work-methods.ts';
import { t } from '../../language/texts.ts';
import { saveAs } from '../files/fetch-file.ts';
import { readableJson } from '../format/readable-json.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useAction } from '../state/action.ts';
import { copyText } from '../state/copy.ts';
import { showError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

const asText = (events: readonly RawEvent[]): string => events.map(({ json }) => json).join('\n');

/** Recorded events of a turn, unchanged. */
export function RawEvents({ turn }: { turn: TurnSummary }) {
  const { run, error, busy } = useAction('work.raw');
  const [events, setEvents] = useState<readonly RawEvent[] | null>(null);
  const [next, setNext] = useState<number | null>(null);
  const { id, agentId, changed } = turn;
  const load = useCallback(
    async (before: readonly RawEvent[], after: number) => {
      const page = await run({ turn: id, agent: agentId, after });
      if (!page.ok) return;
      setEvents([...before, ...page.value.events]);
      setNext(page.value.next);
    },
    [run, id, agentId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn that goes on is read again
  useEffect(() => void load([], 0), [load, changed]);
  return (
    <section className="card stack" aria-label={t('work.raw')}>
      <p className="turn-links">
        <button
          type="button"
          className="button is-small"
          disabled={!events?.length}
          aria-label={t('work.copyRaw')}
          onClick={() => copyText(asText(events ?? []))}
        >
          {t('work.copy')}
        </button>
        <ExportButton turn={turn} />
      </p>
      <ErrorNote error={error} />
      {events === null && error === null && <Skeleton words={t('work.reading')} shape="text" count={8} />}
      {events?.length === 0 && <p className="card-empty">{t('work.rawEmpty')}</p>}
      <ol className="raw-list">
        {(events ?? []).map((event) => (
          <li key={event.seq}>
            <details>
              <summary>
                <code>{event.seq}</code> {event.kind}
              </summary>
              <ScrollRegion className="fall-text" label={`${event.seq} ${event.kind}`}>
                <pre>
                  <ExactText text={readableJson(event.json).slice(0, 100_000)} />
                </pre>
              </ScrollRegion>
            </details>
          </li>
        ))}
      </ol>
      {next !== null && (
        <div>
          <button
            type="button"
            className="button is-small"
            disabled={busy}
            onClick={() => void load(events ?? [], next)}
          >
            {t('work.moreRaw')}
          </button>
        </div>
      )}
    </section>
  );
}

/** Exports the turn with its parts and all recorded events as one file. */
function ExportButton({ turn }: { turn: TurnSummary }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    const ref = { turn: turn.id, agent: turn.agentId };
    const view = await link.call('work.turn', ref);
    if (!view.ok) return showError(view.error);
    const events: unknown[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Result<MethodOutput<'work.raw'>> = await link.call('work.raw', { ...ref, after });
      if (!page.ok) return showError(page.error);
      for (const { json } of page.value.events) events.push(JSON.parse(json));
      after = page.value.next;
    }
    const text = JSON.stringify({ ...view.value, events }, null, 2);
    saveAs(`${turn.id}.json`, new Blob([text]));
  };
  return (
    <button
      type="button"
      className="button is-small"
      disabled={busy}
      onClick={() => {
        setBusy(true);
        void save().finally(() => setBusy(false));
      }}
    >
      {busy ? t('work.exporting') : t('work.export')}
    </button>
  );
}
