import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { hasCommands } from '../../contract/chat-commands.ts';
import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { AttachButton } from '../files/attach-button.tsx';
import { clearTray, useTray } from '../files/tray.ts';
import { FileTray } from '../files/tray-view.tsx';
import { pasteInto, type Sending, useUpload } from '../files/use-files.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import { useAction } from '../state/action.ts';
import { keepUnsent, useScreen, writingPlace } from '../state/screen.ts';
import { useLine, useReplica, useRooms } from '../state/subscriptions.ts';
import { startConversation } from './conversations.ts';
import { AmbiguousNames, MentionMenu, useMentions } from './mention-suggestions.tsx';
import { focusLastMessage } from './message-focus-keys.ts';
import {
  readNewConversation,
  SlashMenu,
  SlashNote,
  useCommandPlace,
  useSlashCheck,
  useSlashList,
} from './slash.tsx';

interface ComposerOf {
  readonly room: Room;
  readonly threadRootId: string | null;
}

/** Uploads the files in the tray, sends, and keeps what was not sent. */
function useSubmit({ room, threadRootId }: ComposerOf, key: string, refocus: () => void) {
  const send = useAction('chat.send');
  const upload = useUpload(key);
  const { files } = useTray(key);
  const busy = send.busy || upload.busy;
  const submit = async (text: string): Promise<void> => {
    const sent = text.trim();
    if ((sent === '' && files.length === 0) || busy) return;
    const uploads = files.length === 0 ? null : await upload.run();
    if (uploads?.ok === false) return;
    const result = await send.run({
      to: room.id,
      text: sent,
      ...(threadRootId === null ? {} : { threadRootId }),
      ...(uploads === null ? {} : { files: [...uploads.value] }),
    });
    if (result.ok) clearTray(key);
    // Text typed during the send stays.
    const now = useScreen.getState().unsent[key] ?? '';
    if (result.ok && now.startsWith(text)) keepUnsent(key, now.slice(text.length).trimStart());
    refocus();
  };
  return { submit, busy, upload, hasFiles: files.length > 0, error: upload.error ?? send.error };
}

/** Enter sends, Shift+Enter starts a new line. Text stays in the field if sending fails. */
export function Composer({ room, threadRootId }: ComposerOf) {
  const key = writingPlace(room.id, threadRootId);
  const { link } = useReplica();
  const text = useScreen((screen) => screen.unsent[key] ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  const refocus = (): void => takeFocus(area.current);
  const { submit, busy, upload, hasFiles, error } = useSubmit({ room, threadRootId }, key, refocus);
  const setText = (next: string): void => keepUnsent(key, next);
  const mentions = useMentions(room, text, setText, area);
  const place = useCommandPlace(room, threadRootId);
  const slash = useSlashList({ place, text, area, setText, choosePerson: mentions.look });
  const check = useSlashCheck(place, text);
  const start = async (draft: string): Promise<void> => {
    const started = await startConversation(link, room.id);
    if (started === null) return;
    setText('');
    keepUnsent(writingPlace(started, null), draft);
  };
  const submitChecked = (): void => {
    const draft = readNewConversation(text, place);
    if (draft !== null) void start(draft);
    else if (check.allows(text.trim())) void submit(text);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (mentions.onKey(event) || slash.onKey(event)) return;
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      focusLastMessage(area.current);
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submitChecked();
  };
  useEffect(() => takeFocus(area.current), []);
  const name = visibleLine(room.kind === 'channel' ? `#${room.name}` : room.name);
  const label = threadRootId === null ? t('chat.messageTo', { name }) : t('chat.replyHere');
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submitChecked();
      }}
    >
      <ErrorNote error={error}>
        <p className="note-hint">{hasFiles ? t('chat.textAndFilesKept') : t('chat.textKept')}</p>
      </ErrorNote>
      <SlashNote
        problem={check.problem}
        place={place}
        text={text}
        onText={(next) => {
          setText(next);
          refocus();
        }}
        sendAsText={() => void submit(text)}
      />
      <FileTray place={key} sending={busy} />
      <div className="composer-box">
        <AttachButton place={key} disabled={busy} />
        <MentionMenu mentions={mentions} />
        <SlashMenu list={slash} />
        <GrowingArea
          place={area}
          label={label}
          value={text}
          onText={setText}
          onKey={onKey}
          onPaste={(event) => pasteInto(key, event)}
          lists={[mentions, slash]}
        />
        <SendButton upload={upload} nothing={text.trim() === '' && !hasFiles} />
      </div>
      <AmbiguousNames room={room} text={text} />
      <ComposerHint mentions={room.kind === 'channel'} commands={hasCommands(place)} />
    </form>
  );
}

/** Cancels the upload while files are being sent. */
function SendButton({ upload, nothing }: { upload: Sending; nothing: boolean }) {
  return upload.busy ? (
    <button
      type="button"
      className="send"
      aria-label={t('chat.stopSending')}
      title={t('chat.stopSending')}
      onClick={upload.stop}
    >
      <Icon name="stop" size={18} />
    </button>
  ) : (
    <button
      type="submit"
      className="send"
      aria-label={t('chat.send')}
      title={t('chat.sendKeys')}
      disabled={nothing}
    >
      <Icon name="send" size={18} />
    </button>
  );
}

interface OpenList {
  readonly id: string;
  readonly open: boolean;
  readonly at: number;
  look(area: HTMLTextAreaElement): void;
  close(): void;
}

interface AreaOf {
  readonly place: React.RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly value: string;
  /** Lists above the field, of which one at most is open. */
  readonly lists: readonly OpenList[];
  onText(text: string): void;
  onKey(event: KeyboardEvent): void;
  onPaste(event: ClipboardEvent): void;
}

function GrowingArea({ place, label, value, lists, onText, onKey, onPaste }: AreaOf) {
  const open = lists.find((list) => list.open);
  return (
    <textarea
      ref={place}
      rows={1}
      dir="auto"
      placeholder={label}
      aria-label={label}
      aria-autocomplete="list"
      aria-controls={open?.id}
      aria-activedescendant={open && `${open.id}-${open.at}`}
      value={value}
      onChange={(event) => {
        onText(event.target.value);
        for (const list of lists) list.look(event.target);
      }}
      onBlur={() => {
        for (const list of lists) list.close();
      }}
      onKeyDown={onKey}
      onPaste={onPaste}
    />
  );
}

function ComposerHint({ mentions, commands }: { mentions: boolean; commands: boolean }) {
  const line = useLine();
  const connection = useRooms((view) => view?.connection ?? 'none');
  if (line !== 'up') return <p className="composer-hint is-amber">{t('chat.lineLost')}</p>;
  if (connection === 'blocked') return <p className="composer-hint is-amber">{t('chat.notLetIn')}</p>;
  if (connection !== 'online') return <p className="composer-hint is-amber">{t('chat.notConnected')}</p>;
  return (
    <p className="composer-hint">
      {mentions ? t('chat.keysWithMentions') : t('chat.keys')}
      {commands && ` ${t('chat.keysForCommands')}`}
    </p>
  );
}
