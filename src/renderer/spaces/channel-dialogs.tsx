import type { Room } from '../../contract/model.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { visibleLine } from '../words/visible-text.ts';
import { RenameForm } from './rename-form.tsx';

export function RenameChannel({ room, onClose }: { room: Room; onClose(): void }) {
  const rename = useAction('channels.rename');
  return (
    <RenameForm
      title={`Rename #${visibleLine(room.name)}`}
      now={room.name}
      hint="Everybody in the channel sees the new name."
      action={rename}
      save={async (name) => (await rename.run({ channel: room.id, name: name.replace(/^#/, '') })).ok}
      onClose={onClose}
    />
  );
}

interface ConfirmOf {
  readonly room: Room;
  readonly type: 'leave-channel' | 'delete-channel';
  onClose(): void;
}

export function ChannelConfirm({ room, type, onClose }: ConfirmOf) {
  const leave = useAction('channels.leave');
  const remove = useAction('channels.delete');
  const leaving = type === 'leave-channel';
  const action = leaving ? leave : remove;
  const name = `#${visibleLine(room.name)}`;
  const run = async (): Promise<void> => {
    const done = await action.run({ channel: room.id });
    if (!done.ok) return;
    onClose();
    say(leaving ? `You left ${name}.` : `${name} is gone.`);
    go({ view: 'chat', room: null });
  };
  return (
    <Confirm
      title={leaving ? `Leave ${name}?` : `Delete ${name}?`}
      verb={leaving ? 'Leave' : 'Delete for everybody'}
      danger
      busy={action.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>
        {leaving
          ? 'You get nothing more from this channel until somebody adds you again. What you have received stays on this computer.'
          : 'The channel goes for all its members, and nobody can bring it back. What each of them has received stays with them.'}
      </p>
      <ErrorNote error={action.error} />
    </Confirm>
  );
}
