import type { AppError } from '../../contract/errors.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { Clock } from '../../core/ports.ts';
import type { TurnEnd, TurnInfo, WorkerEvents } from '../../core/supervisor/worker-ports.ts';
import type { AgentPost } from './agent-post.ts';

/** Who shows replies while they are being written. */
export interface TurnSink {
  started(post: AgentPost, turn: TurnInfo): void;
  grew(post: AgentPost, turn: TurnInfo, text: string): void;
  reset(post: AgentPost, turn: TurnInfo): void;
  stepped(post: AgentPost, turn: TurnInfo, step: ToolStep): void;
  ended(post: AgentPost, turn: TurnInfo, end: TurnEnd): void;
}

const retryWords = (inMs: number, error: AppError): string =>
  `waiting ${Math.max(1, Math.round(inMs / 1000))} s to try again: ${error.message}`;

/** Null: the step tells nothing about now. */
function stepWords(step: ToolStep, place: string): string | null {
  if (step.endedAt !== null) return null;
  const doing = place === '' ? step.title : `${step.title} for ${place}`;
  return step.state === 'waiting' ? `waiting for you: ${doing}` : doing;
}

/** Keeps an agent's post up to date with what its worker does, and passes drafts on. */
export function workerEvents(deps: {
  readonly post: AgentPost;
  readonly clock: Clock;
  readonly turns: TurnSink;
  /** Dot or activity changed. */
  touched(): void;
  onMarks(envelopeIds: readonly string[]): void;
}): WorkerEvents {
  const { post, clock, turns, touched, onMarks } = deps;
  const place = ({ roomId }: TurnInfo): string =>
    roomId.startsWith('dm:')
      ? `@${roomId.slice('dm:'.length)}`
      : `#${post.account?.channelName(roomId) ?? roomId}`;
  return {
    onQueued: (messages) => onMarks(messages.map((message) => message.envelopeId)),
    onTurnStarted: (turn) => {
      for (const id of turn.envelopeIds) post.working.add(id);
      touched();
      turns.started(post, turn);
      onMarks(turn.envelopeIds);
    },
    onTurnTook: (_turn, envelopeIds) => {
      for (const id of envelopeIds) post.working.add(id);
      onMarks(envelopeIds);
    },
    onStep: (turn, step) => {
      turns.stepped(post, turn, step);
      const words = stepWords(step, place(turn));
      if (words === null || words === post.activity) return;
      post.activity = words;
      touched();
    },
    onDelta: (turn, text) => turns.grew(post, turn, text),
    onDraftReset: (turn) => turns.reset(post, turn),
    onRetrying: (_turn, { inMs, error }) => {
      post.activity = retryWords(inMs, error);
      touched();
    },
    onTurnEnded: (turn, end) => {
      for (const id of turn.envelopeIds) post.working.delete(id);
      post.lastEventAt = clock.now();
      if (end.status === 'failed') post.turnError = end.error;
      else if (end.status !== 'interrupted') post.turnError = null;
      touched();
      turns.ended(post, turn, end);
      onMarks(turn.envelopeIds);
    },
    onActivity: (text) => {
      post.activity = text;
      touched();
    },
  };
}
