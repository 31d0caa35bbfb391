/** Methods about the turns of agents and about the host's log. */
import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';
import { row } from './method-row.ts';
import { spendSchema } from './work.ts';

/** `held`: started, continues when its agent runs again. `stopped`: by the operator. */
export const turnStateSchema = z.enum(['running', 'waiting', 'held', 'done', 'silent', 'failed', 'stopped']);
export type TurnState = z.infer<typeof turnStateSchema>;

export const turnSummarySchema = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  state: turnStateSchema,
  /** From the operator's side, or `null` if they are not a member. */
  roomId: z.string().nullable(),
  /** `#name` of a channel, else the other person's name. */
  roomName: z.string(),
  /** Root of the thread that it answers in, or `null` if it is not a message of the room. */
  rootId: z.string().nullable(),
  /** ms since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Waits for an answer of the operator; `to` is `null` while one is open. They may overlap. */
  waits: z.array(z.object({ from: z.number(), to: z.number().nullable() })),
  /** Number of tool calls. */
  steps: z.number().int(),
  spend: spendSchema,
  /** The beginning of the message that it answers. */
  asked: z.string(),
  /** Current activity or reason of the end; may be empty. */
  detail: hostTextSchema,
  /** Incremented with every change while it runs. */
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

/** One bar of the chart and one line of the list. */
export const turnPartSchema = z.object({
  /** Stable while the turn is shown. */
  id: z.string(),
  /**
   * `asked`: incoming text. `wait`: for an answer of the operator. `retry`: a pause before another attempt.
   */
  kind: z.enum(['asked', 'model', 'tool', 'wait', 'retry']),
  /** Empty for a model request, whose name is in `model`. */
  title: hostTextSchema,
  state: z.enum(['running', 'waiting', 'done', 'failed', 'denied', 'unknown']),
  startedAt: z.number(),
  /** First token of a model. */
  firstAt: z.number().nullable(),
  /** `null` while it runs, and if it was never recorded. */
  endedAt: z.number().nullable(),
  input: z.string(),
  output: z.string(),
  /** `input` or `output` is cut; `work.part` returns all of it. */
  cut: z.boolean(),
  model: modelUseSchema.nullable(),
  approvalId: z.string().nullable(),
});
export type TurnPart = z.infer<typeof turnPartSchema>;

const turnRef = z.strictObject({
  /** Id or unique prefix. */
  turn: z.string().min(1).max(100),
  /** Its agent if known; otherwise all agents are searched. */
  agent: z.string().min(1).max(200).optional(),
});

const rawEventSchema = z.object({
  seq: z.number().int(),
  at: z.number(),
  kind: z.string(),
  /** As stored. */
  json: z.string(),
});
export type RawEvent = z.infer<typeof rawEventSchema>;

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logLevelSchema = z.enum(logLevels);
export type LogLevelName = z.infer<typeof logLevelSchema>;

export const logLineSchema = z.object({
  /** Position (file and byte), for `before`. */
  id: z.string(),
  at: z.number(),
  level: logLevelSchema,
  event: z.string(),
  /** Empty for the host itself. */
  agent: z.string(),
  /**
   * The other fields of the line, as JSON without the braces; longer than 4,000 characters as text in `cut`.
   */
  rest: z.string(),
});
export type LogLine = z.infer<typeof logLineSchema>;

export const workMethods = {
  /**
   * Newest first. `before` takes the previous `next`. `closed` lists agents whose history is not readable
   * now, with the reason.
   */
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
        closed: z.array(z.object({ agentId: z.string(), agentName: z.string(), text: hostTextSchema })),
      }),
  ),
  /** Oldest part first. `omitted` is the number of oldest parts left out. `answer` is its final text. */
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
  /** The complete input and output of one part, each at most 2 million characters. */
  'work.part': row(
    () => turnRef.extend({ part: z.string().min(1).max(300) }),
    () => z.object({ input: z.string(), output: z.string() }),
  ),
  /** Records of a turn in order; a page ends after about a million characters. */
  'work.raw': row(
    () => turnRef.extend({ after: z.number().int().min(0).default(0) }),
    () => z.object({ events: z.array(rawEventSchema), next: z.number().int().nullable() }),
  ),
  /**
   * Newest first, including rotated files. A call reads a few MiB at most: `next` continues, or is `null` at
   * the beginning; `readTo` is the time of the oldest line read, to show the progress of a search.
   */
  'logs.read': row(
    () =>
      z.strictObject({
        before: z.string().max(100).optional(),
        level: logLevelSchema.default('debug'),
        agent: z.string().max(200).optional(),
        /** Matches anywhere in the line, case-insensitively. */
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

/** Topic `work`: open turns by id. */
export interface WorkView {
  readonly running: Readonly<Record<string, TurnSummary>>;
}

/**
 * Topic `logs`: the newest lines in numbered batches. Old batches are dropped after some thousand lines; a
 * slow reader sees a gap in the numbers.
 */
export interface LogsView {
  readonly batches: Readonly<Record<string, readonly LogLine[]>>;
}
