import { dmRoomAcross, dmSlug } from '../../contract/room-id.ts';
import { isLocalEnvelopeId } from '../../core/puffo/ids.ts';
import type { TurnInfo } from '../../core/supervisor/worker-ports.ts';
import type { AgentRecord } from '../fleet/agent-record.ts';
import type { TurnSink } from '../fleet/turn-events.ts';
import type { Chat } from './chat.ts';

/** Shows drafts of own agents in the operator's rooms only. */
export function createTurnDrafts(deps: {
  readonly chat: () => Chat;
  readonly self: () => string | null;
}): TurnSink {
  // The agent's direct messages with the operator are the operator's direct messages with the agent.
  const roomOf = (post: AgentRecord, turn: TurnInfo): string | null => {
    const other = dmSlug(turn.roomId);
    if (other === null) return turn.roomId;
    return other === deps.self() ? dmRoomAcross(turn.roomId, post.slug) : null;
  };
  const begin = (post: AgentRecord, turn: TurnInfo): void => {
    const roomId = roomOf(post, turn);
    if (roomId === null) return;
    const chat = deps.chat();
    const { turnId, startedAt } = turn;
    const rootId = isLocalEnvelopeId(turn.rootId) ? null : turn.rootId;
    const name = chat.people.get(post.slug).displayName;
    const draft = {
      turnId,
      agentId: post.id,
      slug: post.slug,
      name,
      text: '',
      threadRootId: rootId,
      startedAt,
      steps: [],
    };
    chat.draftStarted(roomId, draft);
  };
  return {
    started: begin,
    reset(post, turn) {
      const roomId = roomOf(post, turn);
      if (roomId !== null) deps.chat().draftVoid(roomId, turn.turnId);
    },
    stepped(post, turn, step) {
      const roomId = roomOf(post, turn);
      if (roomId !== null) deps.chat().draftStepped(roomId, turn.turnId, step);
    },
    grew(post, turn, text) {
      const roomId = roomOf(post, turn);
      if (roomId !== null) deps.chat().draftGrew(roomId, turn.turnId, text);
    },
    ended(post, turn, end) {
      const roomId = roomOf(post, turn);
      if (roomId === null) return;
      if (end.status === 'done') {
        deps.chat().draftSealed(roomId, turn.turnId, end.replyIds);
        // Messages sent by tools are already in the room, without their steps.
        deps.chat().marksChanged(end.replyIds);
      } else deps.chat().draftEnded(roomId, turn.turnId);
    },
  };
}
