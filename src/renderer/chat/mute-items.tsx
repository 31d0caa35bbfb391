import type { Mute } from '../../contract/mute.ts';
import { mainRoom } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { MenuGroup, MenuItem } from '../parts/menu.tsx';
import { act } from '../state/action.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';

interface MutableOf {
  readonly roomId: string;
  /** Root of the thread to mute; `null` for the whole room. */
  readonly threadId: string | null;
}

const choices = [
  ['chat.muteHour', 60],
  ['chat.mute8Hours', 480],
  ['chat.muteUntilOn', null],
] as const;

/** The host drops mutes whose time is over. A mute holds for all conversations with a person. */
export const useMute = (id: string): Mute | null => useRooms((view) => view?.mutes[mainRoom(id)] ?? null);

/** Menu items that mute or unmute a room, a direct message or a thread. */
export function MuteItems({ roomId, threadId }: MutableOf) {
  const { link } = useReplica();
  const id = threadId ?? roomId;
  const mute = useMute(id);
  const where = { room: roomId, ...(threadId === null ? {} : { thread: threadId }) };
  const isDirect = roomId.startsWith('dm:');
  if (mute !== null) {
    const minutes = mute.until === null ? null : Math.max(1, Math.round((mute.until - Date.now()) / 60_000));
    return (
      <MenuGroup label={t('chat.muted')}>
        <MenuItem onPick={() => void act(link, 'chat.mute', { ...where, on: false })}>
          {t('chat.unmute')}
        </MenuItem>
        {!isDirect && (
          <MenuItem
            onPick={() => void act(link, 'chat.mute', { ...where, minutes, mentions: !mute.mentions })}
          >
            {t(mute.mentions ? 'chat.muteMentions' : 'chat.allowMentions')}
          </MenuItem>
        )}
      </MenuGroup>
    );
  }
  return (
    <MenuGroup label={t(isDirect ? 'chat.muteAll' : 'chat.muteExceptMentions')}>
      {choices.map(([text, minutes]) => (
        <MenuItem key={text} onPick={() => void act(link, 'chat.mute', { ...where, minutes })}>
          {t(text)}
        </MenuItem>
      ))}
    </MenuGroup>
  );
}
