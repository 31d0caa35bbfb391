import { useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { type ModelForm, modelInput } from './model-form.ts';

interface TestOf {
  readonly form: ModelForm;
  /** Agent whose stored key is used, or `null` for the key of all agents. */
  readonly agent: string | null;
}

/** Sends one real request with the values of the form, before anything is saved. */
export function ModelTest({ form, agent }: TestOf) {
  const input = { ...modelInput(form), ...(agent === null ? {} : { agent }) };
  const asked = JSON.stringify(input);
  // A result belongs to the values that were tested.
  return <TestOfValues key={asked} input={input} />;
}

function TestOfValues({ input }: { input: ReturnType<typeof modelInput> & { readonly agent?: string } }) {
  const test = useAction('models.test');
  const [done, setDone] = useState<MethodOutput<'models.test'> | null>(null);
  const run = async (): Promise<void> => {
    setDone(null);
    const result = await test.run(input);
    if (result.ok) setDone(result.value);
  };
  return (
    <div className="stack">
      <div className="form-foot">
        <button type="button" className="button" disabled={test.busy} onClick={() => void run()}>
          {test.busy ? t('runtime.testing') : t('runtime.test')}
        </button>
        <span role="status" className="soft">
          {done !== null &&
            t('runtime.testWorks', {
              model: visibleLine(done.model),
              seconds: Math.max(1, Math.round(done.ms / 100)) / 10,
            })}
        </span>
      </div>
      <ErrorNote error={test.error} />
    </div>
  );
}
