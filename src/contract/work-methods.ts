/** Rows of the method table about what agents did, turn by turn, and about the host's own log. */
import { z } from 'zod';
import { row } from './method-row.ts';
import { spendSchema } from './work.ts';

/** `held`: begun, and goes on when its agent runs again. `stopped`: by you. */
export const turnStateSchema = z.enum(['running', 'waiting', 'held', 'done', 'silent', 'failed', 'stopped']);
export type TurnState = z.infer<typeof turnStateSchema>;

export const turnSummarySchema = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  state: turnStateSchema,
  /** As you have it; null where you are not a member. */
  roomId: z.string().nullable(),
  /** `#name` of a channel, else the other side's name. */
  roomName: z.string(),
  /** The message whose thread it answers in; null where it is none of the room. */
  rootId: z.string().nullable(),
  /** ms since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Tool calls. */
  steps: z.number().int(),
  spend: spendSchema,
  /** The beginning of the message it answers. */
  asked: z.string(),
  /** What it does now, or why it ended as it did; empty when there is nothing to say. */
  detail: z.string(),
  /** Counts up with every change while it runs. */
  changed: z.number().int(),
});
export type TurnSummary = z.infer<typeof turnSummarySchema>;

const modelUseSchema = z.object({
  provider: z.string(),
  model: z.string(),
  input: z.number().int(),
  output: z.number().int(),
  cacheRead: z.number().int(),
  usd: z.number().nullable(),
  stop: z.string(),
});

/** One bar of the picture and one line of the list. */
export const turnPartSchema = z.object({
  /** Stays the same for as long as the turn is looked at. */
  id: z.string(),
  /** `asked`: words that came in. `wait`: for an answer of yours. `retry`: a pause before another try. */
  kind: z.enum(['asked', 'model', 'tool', 'wait', 'retry']),
  /** In words; empty for a request to a model, whose name stands in `model`. */
  title: z.string(),
  state: z.enum(['running', 'waiting', 'done', 'failed', 'denied', 'unknown']),
  startedAt: z.number(),
  /** First token of a model. */
  firstAt: z.number().nullable(),
  /** Null while it goes on, and where it was never written down. */
  endedAt: z.number().nullable(),
  input: z.string(),
  output: z.string(),
  /** `input` or `output` is only the beginning: `work.part` has the rest. */
  cut: z.boolean(),
  model: modelUseSchema.nullable(),
  approvalId: z.string().nullable(),
});
export type TurnPart = z.infer<typeof turnPartSchema>;

const turnRef = z.strictObject({
  /** Or a unique beginning of it. */
  turn: z.string().min(1).max(100),
  /** Whose it is, where that is known: nobody else is looked through. */
  agent: z.string().min(1).max(200).optional(),
});

const rawEventSchema = z.object({
  seq: z.number().int(),
  at: z.number(),
  kind: z.string(),
  /** As it is stored. */
  json: z.string(),
});
export type RawEvent = z.infer<typeof rawEventSchema>;

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logLevelSchema = z.enum(logLevels);
export type LogLevelName = z.infer<typeof logLevelSchema>;

export const logLineSchema = z.object({
  /** Where it stands: file and byte; goes into `before`. */
  id: z.string(),
  at: z.number(),
  level: logLevelSchema,
  event: z.string(),
  /** Empty: of the host itself. */
  agent: z.string(),
  /** Everything else of the line, as JSON without the braces; what is longer than 4,000 characters as text in `cut`. */
  rest: z.string(),
});
export type LogLine = z.infer<typeof logLineSchema>;

export const workMethods = {
  /** Newest first. `before` is what `next` was. `closed`: agents whose history cannot be read now, with the reason. */
  'work.turns': row(
    () =>
      z.strictObject({
        agent: z.string().min(1).max(200).optional(),
        room: z.string().min(1).max(200).optional(),
        states: z.array(turnStateSchema).max(7).optional(),
        since: z.number().optional(),
        until: z.number().optional(),
        before: z.string().max(200).optional(),
        limit: z.number().int().min(1).max(200).default(50),
      }),
    () =>
      z.object({
        turns: z.array(turnSummarySchema),
        next: z.string().nullable(),
        closed: z.array(z.object({ agentId: z.string(), agentName: z.string(), text: z.string() })),
      }),
  ),
  /** Oldest part first. `omitted`: how many of the oldest are left out. `answer`: what it said in the end. */
  'work.turn': row(
    () => turnRef,
    () =>
      z.object({
        turn: turnSummarySchema,
        parts: z.array(turnPartSchema),
        omitted: z.number().int(),
        answer: z.string(),
      }),
  ),
  /** The whole input and output of one part, each at most 2 million characters. */
  'work.part': row(
    () => turnRef.extend({ part: z.string().min(1).max(300) }),
    () => z.object({ input: z.string(), output: z.string() }),
  ),
  /** What was written down of a turn, in its order; a page ends after about a million characters. */
  'work.raw': row(
    () => turnRef.extend({ after: z.number().int().min(0).default(0) }),
    () => z.object({ events: z.array(rawEventSchema), next: z.number().int().nullable() }),
  ),
  /**
   * Newest first, through the rotated files too. A call looks at a few MiB at most: `next` is where to go on, null at the
   * beginning of what is kept; `readTo` is the time of the oldest line looked at, for saying how far a search has come.
   */
  'logs.read': row(
    () =>
      z.strictObject({
        before: z.string().max(100).optional(),
        /** This level and worse ones. */
        level: logLevelSchema.default('debug'),
        agent: z.string().max(200).optional(),
        /** Anywhere in the line, in any case. */
        text: z.string().max(200).default(''),
        limit: z.number().int().min(1).max(1000).default(200),
      }),
    () =>
      z.object({
        lines: z.array(logLineSchema),
        next: z.string().nullable(),
        readTo: z.number().nullable(),
      }),
  ),
} as const;

/** Topic `work`: the turns that are open now, by id. */
export interface WorkView {
  readonly running: Readonly<Record<string, TurnSummary>>;
}

/**
 * Topic `logs`: the newest lines as they are written, in numbered batches. Old batches go when there are some thousand
 * lines; who comes too late for one sees the gap in the numbers.
 */
export interface LogsView {
  readonly batches: Readonly<Record<string, readonly LogLine[]>>;
}
