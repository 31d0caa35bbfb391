import { useState } from 'react';
import type { RunAgain } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { goToRun } from './addresses.ts';
import type { WholeRun } from './use-run.ts';

interface AgainOf {
  readonly whole: Pick<WholeRun, 'run' | 'fileNow'>;
  /** `null` repeats the run from the beginning. */
  readonly step: RunAgain | null;
  onClose(): void;
}

/**
 * Lists the effects that would be repeated. One idempotency key per dialog, so that two clicks start one run.
 */
export function AgainDialog({ whole: { run, fileNow }, step, onClose }: AgainOf) {
  const again = useAction('runs.again');
  const [current, setCurrent] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const submit = async (): Promise<void> => {
    if (again.busy) return;
    const how = step === null ? { current } : { from: step.from };
    const result = await again.run({ run: run.id, ...how, key: `${key} ${current}` });
    if (!result.ok) return;
    onClose();
    goToRun(result.value.id);
  };
  const title =
    step === null ? t('workflows.again') : t('workflows.againFromStep', { step: visibleLine(step.from) });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{t(step === null ? 'workflows.againText' : 'workflows.againFromText')}</p>
        {step !== null && <Paths title={t('workflows.againAsked')} some={step.asked} />}
        {step !== null && <Paths title={t('workflows.againOnce')} some={step.once} />}
        {fileNow !== 'none' && !current && <p className="fine">{t(`workflows.file_${fileNow}`)}</p>}
        {step === null && fileNow === 'changed' && (
          <label className="check">
            <input
              type="checkbox"
              checked={current}
              onChange={({ currentTarget }) => setCurrent(currentTarget.checked)}
            />
            {t('workflows.againCurrent')}
          </label>
        )}
        <FormFoot action={again} label={t('workflows.again')} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** Limit of listed paths. */
const mostPaths = 8;

function Paths({ title, some: { paths, all } }: { title: string; some: RunAgain['once'] }) {
  if (all === 0) return null;
  const shown = paths.slice(0, mostPaths);
  return (
    <div className="again-paths">
      <p>{title}</p>
      <ul>
        {shown.map((path) => (
          <li key={path}>
            <code>{visibleLine(path)}</code>
          </li>
        ))}
        {all > shown.length && <li>{t('workflows.againMore', { n: all - shown.length })}</li>}
      </ul>
    </div>
  );
}
