import { useEffect, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { act } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { goToFile } from './addresses.ts';
import { AgainDialog } from './run-again-dialog.tsx';
import type { WholeRun } from './use-run.ts';

interface ActionsOf {
  readonly whole: WholeRun;
  onChanged(): void;
}

export function RunActions({ whole, onChanged }: ActionsOf) {
  const { run } = whole;
  const { link } = useReplica();
  const [asked, setAsked] = useState(false);
  const [again, setAgain] = useState(false);
  const [busy, setBusy] = useState(false);
  const ended = run.endedAt !== null;
  useEffect(() => {
    if (ended) setAsked(false);
  }, [ended]);
  const change = async (method: 'runs.cancel' | 'runs.retry'): Promise<void> => {
    setBusy(true);
    if (await act(link, method, { run: run.id })) onChanged();
    setBusy(false);
    setAsked(false);
  };
  return (
    <div className="page-actions">
      {run.file !== '' && (
        <button type="button" className="button" onClick={() => goToFile(run.file)}>
          <Icon name="file" size={16} /> {t('workflows.openFile')}
        </button>
      )}
      {!ended && (
        <button type="button" className="button is-danger-quiet" onClick={() => setAsked(true)}>
          {t('workflows.cancelRun')}
        </button>
      )}
      {ended && (
        <button type="button" className="button" onClick={() => setAgain(true)}>
          <Icon name="play" size={16} /> {t('workflows.again')}
        </button>
      )}
      {again && <AgainDialog whole={whole} step={null} onClose={() => setAgain(false)} />}
      {run.status === 'failed' && (
        <button
          type="button"
          className="button is-primary"
          disabled={busy}
          onClick={() => void change('runs.retry')}
        >
          <Icon name="loop" size={16} /> {t('workflows.retryFailed')}
        </button>
      )}
      {asked && (
        <Confirm
          title={t('workflows.cancelTitle')}
          verb={t('workflows.cancelRun')}
          danger
          busy={busy}
          onConfirm={() => void change('runs.cancel')}
          onClose={() => setAsked(false)}
        >
          <p>{t('workflows.cancelText')}</p>
        </Confirm>
      )}
    </div>
  );
}
