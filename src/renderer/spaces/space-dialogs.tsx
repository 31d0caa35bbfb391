import { useEffect, useRef } from 'react';
import { t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { NewMessage } from '../people/new-message.tsx';
import { useRoute } from '../state/route.ts';
import { useRooms } from '../state/subscriptions.ts';
import { ChannelConfirm, RenameChannel } from './channel-dialogs.tsx';
import { InviteCards, useInvites } from './invite-cards.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { JoinDialog } from './join-dialog.tsx';
import { LinksDialog } from './links-dialog.tsx';
import { MembersDialog } from './members-dialog.tsx';
import { NewChannel, NewSpace } from './new-dialogs.tsx';
import { openSpaceDialog, type SpaceDialog, useSpaceDialog } from './open-dialog.ts';
import { useSpace } from './rights.ts';
import { RenameSpace, SpaceConfirm } from './space-confirm.tsx';

const close = (): void => openSpaceDialog(null);

/** The open dialog about spaces; renders nothing if its space or channel no longer exists. */
export function SpaceDialogs() {
  const dialog = useSpaceDialog((all) => all.dialog);
  useCloseOnLeave();
  if (dialog === null) return null;
  if ('spaceId' in dialog) return <OfSpace dialog={dialog} />;
  if ('roomId' in dialog) return <OfChannel dialog={dialog} />;
  if (dialog.type === 'new-message') return <NewMessage onClose={close} />;
  if (dialog.type === 'join')
    return <JoinDialog key={dialog.link} opened={dialog.link ?? ''} onClose={close} />;
  return dialog.type === 'invites' ? <Received /> : <NewSpace onClose={close} />;
}

/** A button of an error opens another page, which the dialog would cover. */
function useCloseOnLeave(): void {
  const route = useRoute((state) => state.route);
  const opened = useRef(route);
  useEffect(() => {
    if (route !== opened.current) close();
  }, [route]);
}

function Received() {
  const invites = useInvites();
  return (
    <Dialog title={t('spaces.invitations')} onClose={close}>
      {invites.length === 0 ? <p>{t('spaces.allAnswered')}</p> : <InviteCards invites={invites} />}
    </Dialog>
  );
}

function OfSpace({ dialog }: { dialog: Extract<SpaceDialog, { spaceId: string }> }) {
  const space = useSpace(dialog.spaceId);
  if (space === null) return null;
  switch (dialog.type) {
    case 'new-channel':
      return <NewChannel space={space} onClose={close} />;
    case 'members':
      return <MembersDialog space={space} onClose={close} />;
    case 'links':
      return <LinksDialog space={space} onClose={close} />;
    case 'rename-space':
      return <RenameSpace space={space} onClose={close} />;
    case 'invite':
      return <InviteDialog space={space} roomId={dialog.roomId} onClose={close} />;
    case 'archive-space':
    case 'leave-space':
      return <SpaceConfirm space={space} type={dialog.type} onClose={close} />;
  }
}

function OfChannel({
  dialog,
}: {
  dialog: Extract<SpaceDialog, { roomId: string; type: `${string}-channel` }>;
}) {
  const room = useRooms((view) => view?.rooms[dialog.roomId] ?? null);
  if (room === null) return null;
  return dialog.type === 'rename-channel' ? (
    <RenameChannel room={room} onClose={close} />
  ) : (
    <ChannelConfirm room={room} type={dialog.type} onClose={close} />
  );
}
