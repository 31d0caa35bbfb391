import { type AppError, messageOf } from '../../contract/errors.ts';
import { dmSlug } from '../../contract/room-id.ts';
import type { ToolStep } from '../../contract/work.ts';
import type { TurnTrace } from '../../core/agents/turn-records.ts';
import { longPauseMs } from '../../core/models/provider-gate.ts';
import type { Clock } from '../../core/ports.ts';
import type { TurnEnd, TurnInfo, WorkerEvents } from '../../core/supervisor/worker-ports.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { AgentRecord } from './agent-record.ts';

/** Receives turns and replies while they are in progress. */
export interface TurnSink {
  started(post: AgentRecord, turn: TurnInfo): void;
  grew(post: AgentRecord, turn: TurnInfo, text: string): void;
  reset(post: AgentRecord, turn: TurnInfo): void;
  stepped(post: AgentRecord, turn: TurnInfo, step: ToolStep): void;
  /** The turn accepted further messages. */
  took?(post: AgentRecord, turn: TurnInfo): void;
  traced?(post: AgentRecord, turn: TurnInfo, line: TurnTrace): void;
  ended(post: AgentRecord, turn: TurnInfo, end: TurnEnd): void;
}

/** The reason of a long wait says until when. */
const retryWords = (inMs: number, error: AppError): HostText =>
  inMs > longPauseMs
    ? messageOf(error)
    : say('steps.retriesIn', { n: Math.max(1, Math.round(inMs / 1000)), why: messageOf(error) });

/** `null` if the step is not in progress. */
function stepWords(step: ToolStep, place: string): HostText | null {
  if (step.endedAt !== null) return null;
  const doing = place === '' ? step.title : say('steps.forPlace', { action: step.title, place });
  return step.state === 'waiting' ? say('steps.waitsForYou', { action: doing }) : doing;
}

interface Doing {
  readonly text: HostText;
  readonly waits: boolean;
}

/** The activity that started last; a waiting one only without any other. */
function activityOf(doing: ReadonlyMap<string, Doing>): HostText {
  const all = [...doing.values()];
  return (all.findLast(({ waits }) => !waits) ?? all.at(-1))?.text ?? '';
}

/** Updates an agent's state from its worker's events and forwards drafts. */
export function workerEvents(deps: {
  readonly post: AgentRecord;
  readonly clock: Clock;
  readonly turns: readonly TurnSink[];
  touched(): void;
  onMarks(envelopeIds: readonly string[]): void;
}): WorkerEvents {
  const { post, clock, touched, onMarks } = deps;
  const tell = (what: (sink: TurnSink) => void): void => {
    for (const sink of deps.turns) what(sink);
  };
  const place = ({ roomId }: TurnInfo): string => {
    const slug = dmSlug(roomId);
    return slug === null ? `#${post.account?.channelName(roomId) ?? roomId}` : `@${slug}`;
  };
  /** By turn, in order of start. */
  const doing = new Map<string, Doing>();
  const does = ({ turnId }: TurnInfo, text: HostText, waits = false): void => {
    doing.set(turnId, { text, waits });
    const words = activityOf(doing);
    if (englishText(words) === englishText(post.activity)) return;
    post.activity = words;
    touched();
  };
  return {
    onQueued: (messages) => onMarks(messages.map((message) => message.envelopeId)),
    onTurnStarted: (turn) => {
      for (const id of turn.envelopeIds) post.working.add(id);
      touched();
      tell((sink) => sink.started(post, turn));
      onMarks(turn.envelopeIds);
    },
    onTurnTook: (turn, envelopeIds) => {
      for (const id of envelopeIds) post.working.add(id);
      tell((sink) => sink.took?.(post, turn));
      onMarks(envelopeIds);
    },
    onStep: (turn, step) => {
      tell((sink) => sink.stepped(post, turn, step));
      const words = stepWords(step, place(turn));
      if (words !== null) does(turn, words, step.state === 'waiting');
    },
    onTraced: (turn, line) => tell((sink) => sink.traced?.(post, turn, line)),
    onDelta: (turn, text) => tell((sink) => sink.grew(post, turn, text)),
    onDraftReset: (turn) => tell((sink) => sink.reset(post, turn)),
    onRetrying: (turn, { inMs, error }) => does(turn, retryWords(inMs, error)),
    onTurnEnded: (turn, end) => {
      for (const id of turn.envelopeIds) post.working.delete(id);
      doing.delete(turn.turnId);
      post.activity = activityOf(doing);
      post.lastEventAt = clock.now();
      if (end.status === 'failed') post.turnError = end.error;
      else if (end.status !== 'interrupted') post.turnError = null;
      touched();
      tell((sink) => sink.ended(post, turn, end));
      onMarks(turn.envelopeIds);
    },
    onActivity: (turn, text) => does(turn, text),
  };
}
