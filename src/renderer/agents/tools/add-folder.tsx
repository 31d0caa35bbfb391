import { type FormEvent, useEffect, useState } from 'react';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { FormFoot } from '../../parts/form-foot.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import { useDesktop } from '../../settings/use-desktop.ts';
import { useAction } from '../../state/action.ts';
import { showNotice } from '../../state/screen.ts';

type Access = 'read' | 'write';

const accesses = () =>
  [
    ['read', t('tools.readable'), t('tools.readableMeans')],
    ['write', t('tools.writable'), t('tools.writableMeans')],
  ] as const satisfies (readonly [Access, string, string])[];

interface AddOf {
  readonly agent: AgentSummary;
  onAdded(): void;
  onClose(): void;
}

/** Adds a folder to those of the agent: chosen in the system's dialog, or typed where the window has no such dialog. */
export function AddFolder({ agent, onAdded, onClose }: AddOf) {
  const { state } = useDesktop();
  if (state === 'reading') return null;
  return <FolderForm agent={agent} inApp={state === 'there'} onAdded={onAdded} onClose={onClose} />;
}

function FolderForm({ agent, inApp, onAdded, onClose }: AddOf & { readonly inApp: boolean }) {
  const [path, setPath] = useState('');
  const [access, setAccess] = useState<Access>('read');
  const add = useAction('agents.addFolder');
  const pick = useAction('desktop.pickFolder');
  const choose = async (): Promise<void> => {
    const picked = await pick.run({});
    if (picked.ok && picked.value.path !== null) setPath(picked.value.path);
    else if (picked.ok && path === '') onClose();
  };
  // The system's dialog opens at once, and only once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (inApp) void choose();
  }, [inApp]);
  const name = visibleLine(agent.displayName);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const added = await add.run({ agent: agent.id, path: path.trim(), mayWrite: access === 'write' });
    if (!added.ok) return;
    showNotice(t('tools.folderAdded', { name, path: visibleLine(path.trim()) }));
    onAdded();
  };
  if (inApp && path === '') return null;
  return (
    <Dialog title={t('tools.addFolderTo', { name })} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {inApp ? (
          <div className="field">
            <code className="path">{visibleLine(path)}</code>
            <p>
              <button type="button" className="link" disabled={pick.busy} onClick={() => void choose()}>
                {t('tools.chooseOther')}
              </button>
            </p>
          </div>
        ) : (
          <Field
            label={t('tools.folderPath')}
            hint={t('tools.folderPathHint')}
            spellCheck={false}
            value={path}
            onChange={(event) => {
              add.clear();
              setPath(event.target.value);
            }}
          />
        )}
        <RadioField
          label={t('tools.folderAccess')}
          value={access}
          options={accesses()}
          onChange={(next) => setAccess(next)}
        />
        <FormFoot
          action={{ busy: add.busy, error: add.error ?? pick.error }}
          label={t('tools.addFolderVerb')}
          disabled={path.trim() === ''}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
