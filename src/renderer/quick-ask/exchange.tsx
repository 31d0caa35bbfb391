import { useMemo } from 'react';
import type { AgentSummary, ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { DraftRow } from '../chat/draft-row.tsx';
import { useDrafts } from '../chat/live-drafts.ts';
import { useMarkRead } from '../chat/mark-read.ts';
import { MessageRow } from '../chat/message-row.tsx';
import { useStickToEnd } from '../chat/stick-to-end.ts';
import { ApprovalCard } from '../inbox/approval-card.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useAsked } from '../state/approvals.ts';
import { useRoomTopic, useRoomView } from '../state/subscriptions.ts';

interface ExchangeOf {
  readonly agent: AgentSummary;
  readonly roomId: string;
  /** The question. */
  readonly messageId: string;
}

const noMessages: readonly ChatMessage[] = [];

/** The question and everything that the agent answers to it: messages, drafts, and approvals it waits for. */
export function QuickAskExchange({ agent, roomId, messageId }: ExchangeOf) {
  useRoomTopic(roomId);
  useMarkRead(roomId);
  const messages = useRoomView(roomId, (room) => room?.messages ?? noMessages);
  const drafts = useDrafts(roomId).filter(({ agentId }) => agentId === agent.id);
  const asks = useAsked().filter((one) => one.agentId === agent.id && one.roomId === roomId);
  const rows = useMemo(() => {
    const from = messages.findIndex(({ id }) => id === messageId);
    return from < 0 ? noMessages : messages.slice(from).filter(({ asks }) => asks === null);
  }, [messages, messageId]);
  const stick = useStickToEnd(rows[0]?.id ?? null, true);
  return (
    <ScrollRegion
      className="quick-ask-answer"
      label={t('quickAsk.answer')}
      place={stick.place}
      onScroll={stick.onScroll}
    >
      <div ref={stick.inner}>
        {rows.map((message) => (
          <MessageRow key={message.id} message={message} follows={false} inThread />
        ))}
        {drafts.map((draft) => (
          <DraftRow key={draft.turnId} draft={draft} />
        ))}
        {asks.map((approval) => (
          <ApprovalCard key={approval.digest} approval={approval} compact />
        ))}
      </div>
    </ScrollRegion>
  );
}
