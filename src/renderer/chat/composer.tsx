import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import type { Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { AttachButton } from '../files/attach-button.tsx';
import { clearTray, useTray } from '../files/tray.ts';
import { FileTray } from '../files/tray-view.tsx';
import { pasteInto, type Sending, useUpload } from '../files/use-files.ts';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import { useAction } from '../state/action.ts';
import { keepUnsent, useScreen } from '../state/screen.ts';
import { useLine, useRooms } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';
import { AmbiguousNames, MentionMenu, useMentions } from './mentions.tsx';
import { focusLastMessage } from './walk-messages.ts';

interface ComposerOf {
  readonly room: Room;
  readonly threadRootId: string | null;
}

/** Key of the unsent text and files of a room or thread. */
export const writingPlace = (roomId: string, threadRootId: string | null): string =>
  `${roomId} ${threadRootId ?? ''}`;

/** Enter sends, Shift+Enter starts a new line. Text stays in the field if sending fails. */
export function Composer({ room, threadRootId }: ComposerOf) {
  const key = writingPlace(room.id, threadRootId);
  const text = useScreen((screen) => screen.unsent[key] ?? '');
  const area = useRef<HTMLTextAreaElement>(null);
  const send = useAction('chat.send');
  const upload = useUpload(key);
  const { files } = useTray(key);
  const setText = (next: string): void => keepUnsent(key, next);
  const mentions = useMentions(room, text, setText, area);
  const busy = send.busy || upload.busy;
  const submit = async (): Promise<void> => {
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
    if (result.ok && (useScreen.getState().unsent[key] ?? '').trim() === sent) setText('');
    takeFocus(area.current);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (mentions.onKey(event)) return;
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      focusLastMessage(area.current);
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };
  useEffect(() => takeFocus(area.current), []);
  const name = visibleLine(room.kind === 'channel' ? `#${room.name}` : room.name);
  const label = threadRootId === null ? t('chat.messageTo', { name }) : t('chat.replyHere');
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ErrorNote error={upload.error ?? send.error}>
        <p className="note-hint">{files.length === 0 ? t('chat.textKept') : t('chat.textAndFilesKept')}</p>
      </ErrorNote>
      <FileTray place={key} sending={busy} />
      <div className="composer-box">
        <AttachButton place={key} disabled={busy} />
        <MentionMenu mentions={mentions} />
        <GrowingArea
          place={area}
          label={label}
          value={text}
          onText={setText}
          onKey={onKey}
          onPaste={(event) => pasteInto(key, event)}
          mentions={mentions}
        />
        <SendButton upload={upload} nothing={text.trim() === '' && files.length === 0} />
      </div>
      <AmbiguousNames room={room} text={text} />
      <ComposerHint mentions={room.kind === 'channel'} />
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

interface AreaOf {
  readonly place: React.RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly value: string;
  readonly mentions: ReturnType<typeof useMentions>;
  onText(text: string): void;
  onKey(event: KeyboardEvent): void;
  onPaste(event: ClipboardEvent): void;
}

function GrowingArea({ place, label, value, mentions, onText, onKey, onPaste }: AreaOf) {
  return (
    <textarea
      ref={place}
      rows={1}
      dir="auto"
      placeholder={label}
      aria-label={label}
      aria-autocomplete="list"
      aria-controls={mentions.open ? mentions.id : undefined}
      aria-activedescendant={mentions.open ? `${mentions.id}-${mentions.at}` : undefined}
      value={value}
      onChange={(event) => {
        onText(event.target.value);
        mentions.look(event.target);
      }}
      onBlur={mentions.close}
      onKeyDown={onKey}
      onPaste={onPaste}
    />
  );
}

function ComposerHint({ mentions }: { mentions: boolean }) {
  const line = useLine();
  const connection = useRooms((view) => view?.connection ?? 'none');
  if (line !== 'up') return <p className="composer-hint is-amber">{t('chat.lineLost')}</p>;
  if (connection === 'blocked') return <p className="composer-hint is-amber">{t('chat.notLetIn')}</p>;
  if (connection !== 'online') return <p className="composer-hint is-amber">{t('chat.notConnected')}</p>;
  return <p className="composer-hint">{mentions ? t('chat.keysWithMentions') : t('chat.keys')}</p>;
}
