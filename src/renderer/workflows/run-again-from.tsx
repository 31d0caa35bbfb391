import { useEffect, useState } from 'react';
import type { RunAgain } from '../../contract/workflow-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';

/**
 * Offers to repeat the run from this step. The host is asked on request and explains if that is impossible,
 * with the steps to use instead.
 */
export function AgainFrom({
  run,
  path,
  onAgain,
}: {
  readonly run: string;
  readonly path: string;
  onAgain(from: RunAgain): void;
}) {
  const { run: ask, busy, error } = useAction('runs.places');
  const [place, setPlace] = useState<RunAgain | null>(null);
  useEffect(() => {
    let current = true;
    void ask({ run, from: path }).then((answer) => {
      if (current && answer.ok) setPlace(answer.value.places[0] ?? null);
    });
    return () => {
      current = false;
    };
  }, [ask, run, path]);
  if (place === null) return <ErrorNote error={error} />;
  const { nearest, refusal } = place;
  const instead = async (): Promise<void> => {
    const answer = await ask({ run, from: nearest });
    const found = answer.ok ? answer.value.places[0] : undefined;
    if (found) onAgain(found);
  };
  if (refusal === '')
    return (
      <div>
        <button type="button" className="button is-small" onClick={() => onAgain(place)}>
          <Icon name="play" size={14} /> {t('workflows.againFrom')}
        </button>
      </div>
    );
  return (
    <div className="stack again-refused">
      <p className="fine">{localize(refusal)}</p>
      {nearest !== '' && (
        <div>
          <button type="button" className="button is-small" disabled={busy} onClick={() => void instead()}>
            <Icon name="play" size={14} /> {t('workflows.againFromStep', { step: visibleLine(nearest) })}
          </button>
        </div>
      )}
      <ErrorNote error={error} />
    </div>
  );
}
