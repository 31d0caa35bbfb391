import { type ReactNode, useMemo } from 'react';
import type { ChatMessage, Room } from '../../contract/model.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { go } from '../state/route.ts';
import { type Inspector as Open, openInspector } from '../state/screen.ts';
import { useAgentBySlug, useRoomView } from '../state/subscriptions.ts';
import { AskedHere, useAskedHere } from './asked-here.tsx';
import { BrakeNote, useBrakes } from './brake-note.tsx';
import { Composer } from './composer.tsx';
import { DraftRow } from './draft-row.tsx';
import { useDrafts } from './lingering.ts';
import { MessageRow } from './message-row.tsx';
import { useStickToEnd } from './stick-to-end.ts';
import { WorkingBar } from './working-bar.tsx';

/** Slides in from the right: one thread, or the people of the room. */
export function Inspector({ room, inspector }: { room: Room; inspector: Open }) {
  return inspector.type === 'thread' ? (
    <ThreadPane key={inspector.rootId} room={room} rootId={inspector.rootId} />
  ) : (
    <PeoplePane room={room} />
  );
}

function Pane({ title, children }: { title: string; children: ReactNode }) {
  return (
    <aside className="inspector" aria-label={title}>
      <header className="inspector-head">
        <h2>{title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={`Close ${title.toLowerCase()}`}
          onClick={() => openInspector(null)}
        >
          <Icon name="close" size={18} />
        </button>
      </header>
      {children}
    </aside>
  );
}

const noMessages: readonly ChatMessage[] = [];

function ThreadPane({ room, rootId }: { room: Room; rootId: string }) {
  const all = useRoomView(room.id, (view) => view?.messages ?? noMessages);
  const drafts = useDrafts(room.id);
  const asked = useAskedHere(room.id, noMessages);
  const brakes = useBrakes(room.id);
  const messages = useMemo(
    () => all.filter((message) => message.id === rootId || message.threadRootId === rootId),
    [all, rootId],
  );
  const stick = useStickToEnd(rootId);
  return (
    <Pane title="Thread">
      <ScrollRegion className="inspector-body" label="Replies" place={stick.place} onScroll={stick.onScroll}>
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
      <Composer room={room} threadRootId={rootId} />
    </Pane>
  );
}

function PeoplePane({ room }: { room: Room }) {
  return (
    <Pane title="Members">
      <ul className="inspector-body people-list">
        {room.members.map((member) => (
          <Person key={member.slug} member={member} />
        ))}
      </ul>
    </Pane>
  );
}

function Person({ member }: { member: Room['members'][number] }) {
  const agent = useAgentBySlug(member.agent ? member.slug : null);
  return (
    <li className="person">
      <SpeakerAvatar name={member.displayName} slug={member.slug} agent={member.agent} />
      <span className="person-words">
        <strong>
          <Name>{member.displayName}</Name>
        </strong>
        <span className="soft">
          <Name>{`@${member.slug}`}</Name> {member.role === '' ? '' : ` · ${member.role}`}
        </span>
      </span>
      {agent !== null && (
        <button
          type="button"
          className="button is-small"
          onClick={() => go({ view: 'agents', agent: agent.id })}
        >
          <StateDot state={agent.dot} size={12} /> Open
        </button>
      )}
    </li>
  );
}
