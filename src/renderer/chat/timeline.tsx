import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import type { ChatMessage, Room } from '../../contract/model.ts';
import { isFurther } from '../../contract/room-conversations.ts';
import { t } from '../../language/texts.ts';
import { dayName, sameDay } from '../format/time.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Empty } from '../parts/empty.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useNow } from '../parts/time.tsx';
import { useRoomView } from '../state/subscriptions.ts';
import { useWithoutDeleted } from './annotations.ts';
import { useBrakes } from './brake-note.tsx';
import { DraftRow } from './draft-row.tsx';
import { useFirstNew } from './first-new.ts';
import { JumpToNew } from './jump-to-new.tsx';
import { useDrafts } from './live-drafts.ts';
import { walkMessages } from './message-focus-keys.ts';
import { MessageRow } from './message-row.tsx';
import { NewLine } from './new-line.tsx';
import { type OlderMessages, useHistory } from './older.ts';
import { useAskedHere } from './room-approvals.tsx';
import { useStickToEnd } from './stick-to-end.ts';
import { AsideRows, ThreadFold } from './thread-fold.tsx';
import { foldThreads, isEmptyAside, type ShownThread } from './threads.ts';
import { useJump } from './use-jump.ts';

const noMessages: readonly ChatMessage[] = [];
const sameSenderMs = 5 * 60_000;

/** Message list of a room. Unchanged rows do not render again while a reply streams in. */
export function Timeline({ room }: { room: Room }) {
  const live = useRoomView(room.id, (view) => view?.messages ?? noMessages);
  const known = useRoomView(room.id, (view) => view !== null);
  const more = useRoomView(room.id, (view) => view?.hasMore ?? false);
  const history = useHistory(room.id, live, more);
  const { past } = history;
  const flat = room.kind === 'dm';
  const loaded = useMemo(
    () => (past ? history.messages : [...history.messages, ...live]),
    [past, history.messages, live],
  );
  const messages = useWithoutDeleted(room.id, loaded);
  useFirstNew(room.unread, live, known);
  const draftRows = useDrafts(room.id);
  const asked = useAskedHere(room.id, messages);
  const brakes = useBrakes(room.id);
  const { threads, loose, looseAside } = useMemo(
    () => foldThreads(messages, draftRows, flat, { asked, brakes }),
    [messages, draftRows, flat, asked, brakes],
  );
  const stick = useStickToEnd(messages[0]?.id ?? null, !past);
  useOwnInSight(live, () => {
    history.toPresent();
    stick.toEnd();
  });
  useJump(room.id, stick.place, messages, { known, history });
  const empty = known && messages.length === 0 && draftRows.length === 0;
  return (
    <div className="timeline-place">
      <ScrollRegion
        className="timeline"
        label={t('chat.messages')}
        place={stick.place}
        onKeyDown={walkMessages}
        onScroll={() => {
          stick.onScroll();
          loadAround(stick.place.current, history);
        }}
      >
        <div className="column" ref={stick.inner}>
          {history.more && (
            <MoreButton busy={history.busy} words={t('chat.showEarlier')} onMore={history.load} />
          )}
          {empty && <FirstWords room={room} />}
          {threads.map((thread, index) => (
            <ThreadRow key={thread.root.id} thread={thread} before={threads[index - 1]} flat={flat} />
          ))}
          {past && <MoreButton busy={history.busy} words={t('chat.showLater')} onMore={history.loadLater} />}
          {!past && loose.map((draft) => <DraftRow key={draft.turnId} draft={draft} />)}
          {known && !past && <AsideRows aside={looseAside} />}
        </div>
      </ScrollRegion>
      <JumpToNew roomId={room.id} place={stick.place} />
      {(stick.away || past) && (
        <button
          type="button"
          className="button is-small to-end"
          onClick={() => {
            history.toPresent();
            stick.toEnd();
          }}
        >
          <Icon name="back" size={14} /> {t('chat.latest')}
        </button>
      )}
    </div>
  );
}

/** Loads the next page before the reader reaches the end of the loaded messages. */
function loadAround(box: HTMLElement | null, history: OlderMessages): void {
  if (box === null || history.busy) return;
  const ahead = box.clientHeight;
  if (history.more && box.scrollTop < ahead) history.load();
  else if (history.past && box.scrollHeight - box.scrollTop - box.clientHeight < ahead) history.loadLater();
}

/** Scrolls to a message that the reader sends, even if they had scrolled up. */
function useOwnInSight(live: readonly ChatMessage[], show: () => void): void {
  const last = live.at(-1);
  const own = last?.own === true ? last.id : null;
  const known = useRef<string | null | undefined>(undefined);
  useLayoutEffect(() => {
    if (known.current !== undefined && own !== null && own !== known.current) show();
    known.current = own;
  });
}

interface MoreOf {
  readonly busy: boolean;
  readonly words: string;
  onMore(): void;
}

function MoreButton({ busy, words, onMore }: MoreOf) {
  return (
    <button type="button" className="button is-small older" disabled={busy} onClick={onMore}>
      {busy ? t('chat.reading') : words}
    </button>
  );
}

function FirstWords({ room }: { room: Room }) {
  const name = visibleLine(room.name);
  if (isFurther(room))
    return (
      <Empty title={t('conversations.starts', { name })}>{t('conversations.startsHint', { name })}</Empty>
    );
  return (
    <Empty title={room.kind === 'dm' ? t('chat.writeTo', { name }) : t('chat.welcome', { name })}>
      {room.encrypted ? t('chat.sealedWelcome') : t('chat.openWelcome')}
    </Empty>
  );
}

interface ThreadRowOf {
  readonly thread: ShownThread;
  readonly before: ShownThread | undefined;
  readonly flat: boolean;
}

const sameThread = (a: ShownThread, b: ShownThread): boolean =>
  a.root === b.root &&
  a.replies.length === b.replies.length &&
  a.replies.every((reply, index) => reply === b.replies[index]) &&
  a.drafts.length === b.drafts.length &&
  a.drafts.every((draft, index) => draft === b.drafts[index]) &&
  sameItems(a.aside.asked, b.aside.asked) &&
  sameItems(a.aside.brakes, b.aside.brakes);

const sameItems = <T,>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

const ThreadRow = memo(
  function ThreadRow({ thread, before, flat }: ThreadRowOf) {
    const { root, replies, drafts, aside } = thread;
    const newDay = before === undefined || !sameDay(before.root.sentAt, root.sentAt);
    const folded = replies.length > 0 || drafts.length > 0 || !isEmptyAside(aside);
    return (
      <>
        {newDay && <DayLine at={root.sentAt} />}
        <NewLine id={root.id} />
        <div className="thread-block" data-row>
          <MessageRow message={root} follows={!newDay && follows(before, root)} inThread={flat} />
          {folded && <ThreadFold root={root} replies={replies} drafts={drafts} aside={aside} />}
        </div>
      </>
    );
  },
  (a, b) =>
    a.flat === b.flat &&
    a.before?.root === b.before?.root &&
    follows(a.before, a.thread.root) === follows(b.before, b.thread.root) &&
    sameThread(a.thread, b.thread),
);

function follows(before: ShownThread | undefined, message: ChatMessage): boolean {
  return (
    before !== undefined &&
    before.replies.length === 0 &&
    before.drafts.length === 0 &&
    before.root.senderSlug === message.senderSlug &&
    message.sentAt - before.root.sentAt < sameSenderMs
  );
}

function DayLine({ at }: { at: number }) {
  const now = useNow();
  return (
    <p className="day-line">
      <span>{dayName(at, now)}</span>
    </p>
  );
}
