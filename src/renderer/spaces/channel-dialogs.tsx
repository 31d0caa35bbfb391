import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { showNotice } from '../state/screen.ts';
import { RenameForm } from './rename-form.tsx';

export function RenameChannel({ room, onClose }: { room: Room; onClose(): void }) {
  const rename = useAction('channels.rename');
  return (
    <RenameForm
      title={t('spaces.renameChannel', { name: visibleLine(room.name) })}
      now={room.name}
      hint={t('spaces.renameChannelHint')}
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
    showNotice(leaving ? t('spaces.left', { name }) : t('spaces.channelGone', { name }));
    go({ view: 'chat', room: null });
  };
  return (
    <Confirm
      title={leaving ? t('spaces.leaveTitle', { name }) : t('spaces.deleteTitle', { name })}
      verb={leaving ? t('spaces.leave') : t('spaces.delete')}
      danger
      busy={action.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{leaving ? t('spaces.leaveChannelHappens') : t('spaces.deleteHappens')}</p>
      <ErrorNote error={action.error} />
    </Confirm>
  );
}
