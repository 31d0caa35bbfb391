import { Confirm } from '../parts/dialog.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { visibleLine } from '../words/visible-text.ts';
import { RenameForm } from './rename-form.tsx';
import type { Space } from './rights.ts';

export function RenameSpace({ space, onClose }: { space: Space; onClose(): void }) {
  const rename = useAction('spaces.rename');
  return (
    <RenameForm
      title={`Rename ${visibleLine(space.name)}`}
      now={space.name}
      hint="Everybody in the space sees the new name."
      action={rename}
      save={async (name) => (await rename.run({ space: space.id, name })).ok}
      onClose={onClose}
    />
  );
}

interface ConfirmOf {
  readonly space: Space;
  readonly type: 'archive-space' | 'leave-space';
  onClose(): void;
}

/** Says what happens to the space and to what was said in it. */
export function SpaceConfirm({ space, type, onClose }: ConfirmOf) {
  const archive = useAction('spaces.archive');
  const leave = useAction('spaces.leave');
  const leaving = type === 'leave-space';
  const action = leaving ? leave : archive;
  const name = visibleLine(space.name);
  const run = async (): Promise<void> => {
    const done = leaving
      ? await leave.run({ space: space.id })
      : await archive.run({ space: space.id, archived: !space.archived });
    if (!done.ok) return;
    onClose();
    say(leaving ? `You left ${name}.` : space.archived ? `${name} is back.` : `${name} is archived.`);
  };
  const verb = leaving ? 'Leave' : space.archived ? 'Bring back' : 'Archive';
  return (
    <Confirm
      title={`${verb} ${name}?`}
      verb={verb}
      danger={leaving}
      busy={action.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>
        {leaving ? (
          <>
            You get nothing more from <Name>{space.name}</Name>. What you have received stays on this
            computer; to come back you need an invitation.
          </>
        ) : space.archived ? (
          'Its members can write there again. Nothing that was said was lost.'
        ) : (
          'Nobody can write there until you bring it back. Everything that was said stays readable.'
        )}
      </p>
      <ErrorNote error={action.error} />
    </Confirm>
  );
}
