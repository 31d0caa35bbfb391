import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { AgentSummary, ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { plainSnippet } from '../format/snippet.ts';
import { Ago } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { useReplica } from '../state/subscriptions.ts';

const shown = 6;
const roomsAsked = 4;

/** The agent's latest messages in the rooms it shares with the operator. */
export function LastMessages({ agent }: { agent: AgentSummary }) {
  const { rooms } = useReplica();
  const shared = useStore(
    rooms.store,
    useShallow((value) =>
      Object.values(value.state?.rooms ?? {})
        .filter((room) => room.members.some((member) => member.slug === agent.slug))
        .sort((a, b) => (b.lastMessageAt ?? 0) - (a.lastMessageAt ?? 0))
        .slice(0, roomsAsked)
        .map((room) => room.id),
    ),
  );
  const messages = useSaid(agent, shared);
  return (
    <section className="card" aria-labelledby="agent-said">
      <h2 id="agent-said">{t('agents.lastMessages')}</h2>
      {messages.length === 0 && <p className="card-empty">{t('agents.nothingSaid')}</p>}
      <ul className="rows">
        {messages.map((message) => (
          <li key={message.id}>
            <button type="button" className="row" onClick={() => go({ view: 'chat', room: message.roomId })}>
              <span className="row-now is-dark">
                <bdi>{plainSnippet(message.text)}</bdi>
              </span>
              <span className="row-time">
                <Ago at={message.sentAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useSaid(agent: AgentSummary, rooms: readonly string[]): readonly ChatMessage[] {
  const { link } = useReplica();
  const [said, setSaid] = useState<readonly ChatMessage[]>([]);
  const { slug, messageCount } = agent;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message of the agent asks again
  useEffect(() => {
    let left = false;
    const pages = rooms.map((room) => link.call('chat.history', { room, limit: 50 }));
    void Promise.all(pages).then((results) => {
      if (left) return;
      const all = results.flatMap((result) => (result.ok ? result.value.messages : []));
      setSaid(
        all
          .filter((message) => message.senderSlug === slug)
          .sort((a, b) => b.sentAt - a.sentAt)
          .slice(0, shown),
      );
    });
    return () => {
      left = true;
    };
  }, [link, rooms, slug, messageCount]);
  return said;
}
