import { type FormEvent, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ChoiceField, Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useAgentNames } from '../work/turn-filter.tsx';

const mostWorkers = 64;
const mostOfAgent = 16;

/** Parses an integer from `least` to `most`; returns `null` otherwise. */
function wholeIn(text: string, least: number, most: number): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

export function WorkersDialog({ workers, onClose }: { workers: number; onClose(): void }) {
  const set = useAction('tasks.setWorkers');
  const agents = useAgentNames();
  // An untouched field is not sent, because its value may be the computed default.
  const [typed, setTyped] = useState<string | null>(null);
  const many = typed ?? String(workers);
  const [agent, setAgent] = useState('');
  const [each, setEach] = useState('1');
  const wanted = many.trim() === '' ? null : wholeIn(many, 0, mostWorkers);
  const ofAgent = agent === '' ? null : wholeIn(each, 1, mostOfAgent);
  const wrong = (many.trim() !== '' && wanted === null) || (agent !== '' && ofAgent === null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (wrong) return;
    const result = await set.run({
      ...(typed === null ? {} : { workers: wanted }),
      ...(ofAgent === null ? {} : { agent: { agent, concurrency: ofAgent } }),
    });
    if (!result.ok) return;
    showNotice(t('tasks.workersSaved'));
    onClose();
  };
  return (
    <Dialog title={t('tasks.workersTitle')} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('tasks.workersAtOnce')}
          type="number"
          min={0}
          max={mostWorkers}
          value={many}
          onChange={(event) => setTyped(event.target.value)}
          hint={t('tasks.workersHint')}
        />
        <ChoiceField
          label={t('tasks.workersAgent')}
          value={agent}
          options={[['', t('tasks.workersNoAgent')], ...agents]}
          onChange={setAgent}
          hint={t('tasks.workersAgentHint')}
        />
        {agent !== '' && (
          <Field
            label={t('tasks.workersEach')}
            type="number"
            min={1}
            max={mostOfAgent}
            value={each}
            onChange={(event) => setEach(event.target.value)}
          />
        )}
        <FormFoot action={set} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
