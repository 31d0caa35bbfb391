import { useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import type { WorkflowFile } from '../../contract/workflow-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { act } from '../state/action.ts';
import { copyText } from '../state/copy.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { fileName, goToWorkflows } from './addresses.ts';
import { NewWorkflowFile } from './new-file.tsx';
import { RunDialog } from './run-dialog.tsx';
import type { DraftView } from './use-draft.ts';
import { belowFolder } from './use-files.ts';

interface ActionsOf {
  readonly draft: DraftView;
  readonly file: WorkflowFile | null;
  readonly listing: MethodOutput<'workflows.list'> | null;
}

type Asked = 'run' | 'copy' | 'remove' | null;

/** Actions on a workflow file. "Run" saves first, because the host runs the saved file. */
export function FileActions({ draft, file, listing }: ActionsOf) {
  const [asked, setAsked] = useState<Asked>(null);
  const { checked, dirty, saving, path } = draft;
  const example = file?.example === true;
  const broken = checked === null || checked.findings.some(({ severity }) => severity === 'error');
  const run = async (): Promise<void> => {
    if (await (dirty ? draft.save() : draft.isCurrent())) setAsked('run');
  };
  const close = (): void => setAsked(null);
  return (
    <div className="page-actions">
      {dirty && (
        <span className="soft" role="status">
          {t('parts.unsaved')}
        </span>
      )}
      {!example && (
        <button
          type="button"
          className="button"
          disabled={!dirty || saving || listing === null}
          onClick={() => void draft.save()}
        >
          {saving ? t('workflows.saving') : dirty ? t('workflows.save') : t('workflows.isSaved')}
        </button>
      )}
      {example && (
        <button type="button" className="button" disabled={listing === null} onClick={() => setAsked('copy')}>
          {t('workflows.copyExample')}
        </button>
      )}
      <button type="button" className="button is-primary" disabled={broken} onClick={() => void run()}>
        <Icon name="play" size={16} /> {dirty ? t('workflows.saveAndRun') : t('workflows.run')}
      </button>
      <Menu label={t('workflows.more')}>
        <MenuItem onPick={() => copyMermaid(checked?.mermaid ?? '')}>{t('workflows.copyMermaid')}</MenuItem>
        <MenuItem onPick={() => setAsked('copy')}>{t('workflows.copyFile')}</MenuItem>
        {!example && (
          <MenuItem danger onPick={() => setAsked('remove')}>
            {t('workflows.remove')}
          </MenuItem>
        )}
      </Menu>
      {asked === 'run' && checked !== null && (
        <RunDialog file={path} name={file?.name || fileName(path)} args={checked.args} onClose={close} />
      )}
      {asked === 'copy' && listing !== null && (
        <NewWorkflowFile listing={listing} from={path} onMade={close} onClose={close} />
      )}
      {asked === 'remove' && listing !== null && (
        <RemoveFile path={path} folder={listing.folder} onClose={close} />
      )}
    </div>
  );
}

function copyMermaid(text: string): void {
  if (text === '') showNotice(t('workflows.noGraph'));
  else copyText(text);
}

interface RemoveOf {
  readonly path: string;
  readonly folder: string;
  onClose(): void;
}

function RemoveFile({ path, folder, onClose }: RemoveOf) {
  const { link } = useReplica();
  const remove = async (): Promise<void> => {
    if (!(await act(link, 'workflows.remove', { file: belowFolder(folder, path) }))) return onClose();
    showNotice(t('workflows.removed', { name: visibleLine(fileName(path)) }));
    goToWorkflows();
  };
  return (
    <Confirm
      title={t('workflows.removeTitle', { name: visibleLine(fileName(path)) })}
      verb={t('workflows.removeVerb')}
      danger
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{t('workflows.removeText')}</p>
    </Confirm>
  );
}
