import { useEffect, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { HostClient } from '../../contract/host-api.ts';
import type { MethodInput } from '../../contract/methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { RunSummary } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { saveAs } from '../files/fetch-file.ts';
import { Progress } from '../files/progress.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

interface Far {
  readonly read: number;
  readonly total: number;
}

interface Saved {
  readonly content: Blob;
  readonly events: number;
}

type From = MethodInput<'runs.piece'>['from'];

/** Builds the same file as `puppy log RUN --export FILE`; returns `null` if aborted. */
async function readAll(
  link: HostClient,
  run: string,
  signal: AbortSignal,
  progress: (far: Far) => void,
): Promise<Result<Saved | null>> {
  const pieces: string[] = [];
  let from: From;
  for (;;) {
    const piece = await link.call('runs.piece', { run, ...(from === undefined ? {} : { from }) });
    if (signal.aborted) return ok(null);
    if (!piece.ok) return piece;
    const { text, lines, events, next } = piece.value;
    pieces.push(text);
    if (next === null) return ok({ content: new Blob(pieces), events });
    from = next;
    progress({ read: next.line, total: lines });
  }
}

/** Exports the whole journal as a file, with progress and cancel. */
export function JournalExport({ run, total }: { run: RunSummary; total: number }) {
  const { link } = useReplica();
  const [far, setFar] = useState<Far | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const save = async (): Promise<void> => {
    const left = new AbortController();
    leaving.current = left;
    setError(null);
    setFar({ read: 0, total });
    const all = await readAll(link, run.id, left.signal, setFar);
    if (left.signal.aborted) return;
    setFar(null);
    if (!all.ok) return setError(all.error);
    if (all.value === null) return;
    saveAs(`run-${run.id.slice(0, 8)}.jsonl`, all.value.content);
    showNotice(t('workflows.exported', { n: all.value.events }));
  };
  const leave = (): void => {
    leaving.current?.abort();
    setFar(null);
  };
  return (
    <>
      {far === null ? (
        <p className="turn-links">
          <button
            type="button"
            className="button is-small"
            disabled={total === 0}
            onClick={() => void save()}
          >
            {t('workflows.exportJournal', { n: total })}
          </button>
        </p>
      ) : (
        <div className="journal-export">
          <Progress label={t('workflows.exporting')} done={far.read} of={far.total} />
          <span className="fine">{t('workflows.exportFar', { n: far.read, of: far.total })}</span>
          <button type="button" className="button is-small" onClick={leave}>
            {t('workflows.exportLeave')}
          </button>
        </div>
      )}
      <ErrorNote error={error} />
    </>
  );
}
