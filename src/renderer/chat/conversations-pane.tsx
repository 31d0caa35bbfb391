import { useState } from 'react';
import { countUnread } from '../../contract/count-unread.ts';
import type { Room } from '../../contract/model.ts';
import { isFurther } from '../../contract/room-conversations.ts';
import { mainRoom } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { plainSnippet } from '../format/snippet.ts';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { hidden } from '../parts/rich.tsx';
import { Ago } from '../parts/time.tsx';
import { RenameForm } from '../spaces/rename-form.tsx';
import { act, useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { useReplica, useRooms } from '../state/subscriptions.ts';
import { conversationName, startConversation, useConversations } from './conversations.ts';

interface Changing {
  readonly what: 'rename' | 'delete';
  readonly room: Room;
}

/** With fewer, a search field would only be in the way. */
const searchFrom = 5;

/** The conversations with one person or agent: a click opens one. */
export function ConversationList({ room }: { room: Room }) {
  const { link } = useReplica();
  const all = useConversations(room.id);
  const [words, setWords] = useState('');
  const [changing, setChanging] = useState<Changing | null>(null);
  const wanted = words.trim().toLocaleLowerCase();
  const found = all.filter((one) => conversationName(one).toLocaleLowerCase().includes(wanted));
  const archived = found.filter(({ conversation }) => conversation?.archived === true);
  const shown = found.filter((one) => !archived.includes(one));
  const rows = (list: readonly Room[]) =>
    list.map((one) => (
      <ConversationRow key={one.id} room={one} selected={one.id === room.id} onChange={setChanging} />
    ));
  return (
    <>
      <button type="button" className="button is-small" onClick={() => void startConversation(link, room.id)}>
        <Icon name="plus" size={14} /> {t('conversations.new')}
      </button>
      {all.length >= searchFrom && (
        <Field
          label={t('conversations.search')}
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {all.length === 1 && <p className="soft">{t('conversations.onlyOne')}</p>}
      {found.length === 0 && <p className="soft">{t('conversations.noneFound')}</p>}
      <ul className="pins" aria-label={t('conversations.all')}>
        {rows(shown)}
      </ul>
      {archived.length > 0 && (
        <>
          <h3>{t('conversations.archived')}</h3>
          <ul className="pins" aria-label={t('conversations.archived')}>
            {rows(archived)}
          </ul>
        </>
      )}
      {changing !== null && (
        <ChangeDialog changing={changing} open={room.id} onClose={() => setChanging(null)} />
      )}
    </>
  );
}

interface RowOf {
  readonly room: Room;
  readonly selected: boolean;
  onChange(changing: Changing): void;
}

function ConversationRow({ room, selected, onChange }: RowOf) {
  const { link } = useReplica();
  const unread = useRooms((view) => (view === null ? 0 : countUnread(view, room)));
  const name = conversationName(room);
  const archived = room.conversation?.archived === true;
  const at = room.lastMessageAt ?? room.conversation?.startedAt ?? null;
  return (
    <li className="pin">
      <button
        type="button"
        className="pin-words"
        aria-current={selected ? 'true' : undefined}
        onClick={() => go({ view: 'chat', room: room.id })}
      >
        <span className="hit-head">
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {unread > 0 && <span className="badge">{t.rich('chat.unread', { count: unread, hidden })}</span>}
          {at !== null && (
            <span className="soft">
              <Ago at={at} />
            </span>
          )}
        </span>
        <bdi className="hit-text">
          {room.lastText === '' ? t('conversations.empty') : plainSnippet(room.lastText, 120)}
        </bdi>
      </button>
      <Menu label={t('conversations.actions', { title: name })}>
        <MenuItem onPick={() => onChange({ what: 'rename', room })}>{t('conversations.rename')}</MenuItem>
        {isFurther(room) && (
          <>
            <MenuItem
              onPick={() =>
                void act(link, 'chat.archiveConversation', { room: room.id, archived: !archived })
              }
            >
              {t(archived ? 'conversations.unarchive' : 'conversations.archive')}
            </MenuItem>
            <MenuItem danger onPick={() => onChange({ what: 'delete', room })}>
              {t('conversations.delete')}
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
}

interface DialogOf {
  readonly changing: Changing;
  /** The room that the chat shows. */
  readonly open: string;
  onClose(): void;
}

function ChangeDialog({ changing: { what, room }, open, onClose }: DialogOf) {
  const rename = useAction('chat.renameConversation');
  const remove = useAction('chat.deleteConversation');
  if (what === 'rename')
    return (
      <RenameForm
        title={t('conversations.renameTitle')}
        now={conversationName(room)}
        hint={t('conversations.renameHint')}
        action={rename}
        save={async (title) => (await rename.run({ room: room.id, title })).ok}
        onClose={onClose}
      />
    );
  const run = async (): Promise<void> => {
    if (!(await remove.run({ room: room.id })).ok) return;
    onClose();
    if (room.id === open) go({ view: 'chat', room: mainRoom(open) });
  };
  return (
    <Confirm
      title={t('conversations.deleteTitle', { title: conversationName(room) })}
      verb={t('conversations.deleteHere')}
      danger
      busy={remove.busy}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      <p>{t('conversations.deleteHappens')}</p>
      <ErrorNote error={remove.error} />
    </Confirm>
  );
}
