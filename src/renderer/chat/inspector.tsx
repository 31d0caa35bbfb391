import type { ReactNode } from 'react';
import type { ChatMessage, Room } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { type InspectorContent as Open, openInspector } from '../state/screen.ts';
import { BrakeNote, useBrakes } from './brake-note.tsx';
import { ComposerArea } from './composer-area.tsx';
import { ConversationList } from './conversations-pane.tsx';
import { DraftRow } from './draft-row.tsx';
import { usePlaceDrop } from './drop-files.ts';
import { useDrafts } from './live-drafts.ts';
import { MessageRow } from './message-row.tsx';
import { MuteItems, useMute } from './mute-items.tsx';
import { PeopleList } from './people-pane.tsx';
import { PinsList } from './pins-pane.tsx';
import { AskedHere, useAskedHere } from './room-approvals.tsx';
import { useStickToEnd } from './stick-to-end.ts';
import { useWholeThread } from './thread-history.ts';
import { WorkingBar } from './working-bar.tsx';

export function Inspector({ room, inspector }: { room: Room; inspector: Open }) {
  if (inspector.type === 'thread')
    return <ThreadPane key={inspector.rootId} room={room} rootId={inspector.rootId} />;
  switch (inspector.type) {
    case 'pins':
      return <PinsPane room={room} />;
    case 'people':
      return <PeoplePane room={room} />;
    case 'conversations':
      return <ConversationsPane room={room} />;
  }
}

interface PaneOf {
  readonly title: string;
  readonly close: string;
  readonly drop?: ReturnType<typeof usePlaceDrop>;
  readonly menu?: ReactNode;
  readonly children: ReactNode;
}

function Pane({ title, close, drop = null, menu, children }: PaneOf) {
  return (
    <aside className="inspector" aria-label={title} {...(drop === null ? {} : drop.props)}>
      {drop?.over === true && <div className="drop-here">{t('chat.drop')}</div>}
      <header className="inspector-head">
        <h2>{title}</h2>
        {menu}
        <button type="button" className="icon-button" aria-label={close} onClick={() => openInspector(null)}>
          <Icon name="close" size={18} />
        </button>
      </header>
      {children}
    </aside>
  );
}

const noMessages: readonly ChatMessage[] = [];

function ThreadPane({ room, rootId }: { room: Room; rootId: string }) {
  const drafts = useDrafts(room.id);
  const asked = useAskedHere(room.id, noMessages);
  const brakes = useBrakes(room.id);
  const messages = useWholeThread(room.id, rootId);
  const stick = useStickToEnd(rootId);
  const drop = usePlaceDrop(room, rootId);
  const mute = useMute(rootId);
  return (
    <Pane
      title={t('chat.thread')}
      close={t('chat.closeThread')}
      drop={drop}
      menu={
        <Menu label={t('chat.threadMenu')} icon={mute === null ? 'more' : 'bellOff'}>
          <MuteItems roomId={room.id} threadId={rootId} />
        </Menu>
      }
    >
      <ScrollRegion
        className="inspector-body"
        label={t('chat.replies')}
        place={stick.place}
        onScroll={stick.onScroll}
      >
        <div ref={stick.inner}>
          {messages.map((message) => (
            <MessageRow key={message.id} message={message} follows={false} inThread />
          ))}
          {drafts
            .filter((draft) => draft.threadRootId === rootId)
            .map((draft) => (
              <DraftRow key={draft.turnId} draft={draft} />
            ))}
          <AskedHere shown={asked.filter((approval) => approval.threadRootId === rootId)} />
          <BrakeNote brakes={brakes.filter((brake) => brake.rootId === rootId)} />
        </div>
      </ScrollRegion>
      <WorkingBar roomId={room.id} threadRootId={rootId} />
      <ComposerArea room={room} threadRootId={rootId} />
    </Pane>
  );
}

function PeoplePane({ room }: { room: Room }) {
  return (
    <Pane title={t('chat.membersTitle')} close={t('chat.closeMembers')}>
      <div className="inspector-body">
        <PeopleList room={room} />
      </div>
    </Pane>
  );
}

function ConversationsPane({ room }: { room: Room }) {
  return (
    <Pane title={t('conversations.all')} close={t('conversations.close')}>
      <div className="inspector-body conversations">
        <ConversationList room={room} />
      </div>
    </Pane>
  );
}

function PinsPane({ room }: { room: Room }) {
  return (
    <Pane title={t('annotations.pins')} close={t('annotations.closePins')}>
      <div className="inspector-body">
        <PinsList room={room} />
      </div>
    </Pane>
  );
}
