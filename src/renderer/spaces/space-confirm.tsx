import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { apart } from '../parts/rich.tsx';
import { useAction } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { RenameForm } from './rename-form.tsx';
import type { ShownSpace } from './rights.ts';

export function RenameSpace({ space, onClose }: { space: ShownSpace; onClose(): void }) {
  const rename = useAction('spaces.rename');
  return (
    <RenameForm
      title={t('spaces.renameSpace', { name: visibleLine(space.name) })}
      now={space.name}
      hint={t('spaces.renameSpaceHint')}
      action={rename}
      save={async (name) => (await rename.run({ space: space.id, name })).ok}
      onClose={onClose}
    />
  );
}

interface ConfirmOf {
  readonly space: ShownSpace;
  readonly type: 'archive-space' | 'leave-space';
  onClose(): void;
}

interface WordsOf {
  readonly title: string;
  readonly verb: string;
  readonly happens: ReactNode;
  readonly done: string;
}

function wordsFor(leaving: boolean, { name: named, archived }: ShownSpace): WordsOf {
  const name = visibleLine(named);
  if (leaving)
    return {
      title: t('spaces.leaveTitle', { name }),
      verb: t('spaces.leave'),
      happens: t.rich('spaces.leaveSpaceHappens', { name, space: apart }),
      done: t('spaces.left', { name }),
    };
  return archived
    ? {
        title: t('spaces.bringBackTitle', { name }),
        verb: t('spaces.bringBack'),
        happens: t('spaces.bringBackHappens'),
        done: t('spaces.isBack', { name }),
      }
    : {
        title: t('spaces.archiveTitle', { name }),
        verb: t('spaces.archive'),
        happens: t('spaces.archiveHappens'),
        done: t('spaces.archived', { name }),
      };
}

/** Explains the effect on the space and its messages before archiving or leaving. */
export function SpaceConfirm({ space, type, onClose }: ConfirmOf) {
  const archive = useAction('spaces.archive');
  const leave = useAction('spaces.leave');
  const leaving = type === 'leave-space';
  const action = leaving ? leave : archive;
  const words = wordsFor(leaving, space);
  const run = async (): Promise<void> => {
    const done = leaving
      ? await leave.run({ space: space.id })
      : await archive.run({ space: space.id, archived: !space.archived });
    if (!done.ok) return;
    onClose();
    showNotice(words.done);
  };
  return (
    <Confirm
      title={words.title}
      verb={words.verb}
      danger={leaving}
      busy={action.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{words.happens}</p>
      <ErrorNote error={action.error} />
    </Confirm>
  );
}
