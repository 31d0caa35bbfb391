/**
 * Rounds of model request and tool calls, for chat completions and responses, streamed or not. All tools are sent in
 * every round, a call of the caller's own tools goes back to the caller, and at the limit the last answer is returned.
 */
import { isRecord } from '../../contract/is-record.ts';
import type { ConversationLog } from '../conversation-log.ts';
import type { CodeExecution } from './code-execution.ts';
import type { CallTool, ToolCall, ToolResult } from './tool-pool.ts';

type Json = Readonly<Record<string, unknown>>;

export interface RoundsDeps {
  /** The unpatched method. */
  readonly create: (body: Json) => Promise<unknown>;
  readonly tools: readonly CallTool[];
  readonly run: (calls: readonly ToolCall[]) => Promise<readonly ToolResult[]>;
  readonly settings: { readonly maxIterations: number; readonly strict: boolean };
  readonly log: ConversationLog | null;
  readonly onLimit: () => void;
}

/** How one interface of OpenAI writes tools, answers and results. */
export interface WireFormat {
  /** The field of the request with the conversation. */
  readonly conversation: 'messages' | 'input';
  toolDefinition(tool: CallTool, strict: boolean): Json;
  /** Name of a tool that the caller defined. */
  definedName(definition: unknown): string | null;
  history(body: Json): readonly unknown[];
  callsOf(answer: Json): readonly ToolCall[];
  /** The answer without the calls of these ids. */
  without(answer: Json, ids: ReadonlySet<string>): Json;
  additions(answer: Json, calls: readonly ToolCall[], results: readonly ToolResult[]): readonly unknown[];
  /** Collects the events of one round. `show` passes an event on. */
  collector(isOwn: (name: string) => boolean, isFirst: boolean): StreamCollector;
  /** The request with further instructions. */
  instructed(body: Json, instructions: string): Json;
  textOf(answer: Json): string;
  /** Text that this event of a stream adds; `null` if it adds none. */
  textDelta(event: unknown): string | null;
  /** The event with another text. */
  withDelta(event: unknown, text: string): unknown;
  /** The event with the text so far, if it repeats the text; otherwise unchanged. */
  withWhole(event: unknown, text: string): unknown;
  /** An event that tells of code. */
  codeEvent(execution: CodeExecution): unknown;
}

export interface StreamCollector {
  /** Events to show now. */
  add(event: unknown): readonly unknown[];
  /** The whole answer of the round, and the events that end it if it is the last one. */
  end(): { readonly answer: Json; readonly last: readonly unknown[] };
}

interface Prepared {
  readonly body: Json;
  readonly isForeign: (name: string) => boolean;
}

function prepare(body: Json, format: WireFormat, { tools, settings: { strict } }: RoundsDeps): Prepared {
  const given = Array.isArray(body.tools) ? body.tools : [];
  const foreign = new Set(given.map((each) => format.definedName(each)));
  const defined = tools.map((tool) => format.toolDefinition(tool, strict));
  return { body: { ...body, tools: [...given, ...defined] }, isForeign: (name) => foreign.has(name) };
}

interface Followed {
  readonly history: readonly unknown[];
  readonly executions: readonly CodeExecution[];
}

/** The conversation of the next round, or the answer for the caller. */
async function afterRound(
  answer: Json,
  history: readonly unknown[],
  format: WireFormat,
  { isForeign, deps }: { readonly isForeign: Prepared['isForeign']; readonly deps: RoundsDeps },
): Promise<Followed | { readonly answer: Json }> {
  deps.log?.({ type: 'message', role: 'assistant', content: answer });
  const calls = format.callsOf(answer);
  const own = calls.filter(({ name }) => !isForeign(name));
  if (own.length === 0) return { answer };
  // The model repeats its other calls once the caller has answered its own.
  if (own.length < calls.length) return { answer: format.without(answer, new Set(own.map(({ id }) => id))) };
  const results = await deps.run(own);
  const executions = results.flatMap(({ execution = [] }) => execution);
  return { history: [...history, ...format.additions(answer, own, results)], executions };
}

export const jsonObject = (value: unknown): Json => {
  if (isRecord(value)) return value;
  throw new Error('The model server sent no JSON object.');
};

export async function answerInRounds(body: Json, format: WireFormat, deps: RoundsDeps): Promise<unknown> {
  const { body: prepared, isForeign } = prepare(body, format, deps);
  let history = format.history(body);
  deps.log?.({ type: 'message', role: 'user', content: history });
  for (let round = 1; ; round += 1) {
    const answer = jsonObject(await deps.create({ ...prepared, [format.conversation]: history }));
    if (round >= deps.settings.maxIterations && format.callsOf(answer).some(({ name }) => !isForeign(name))) {
      deps.onLimit();
      return answer;
    }
    const next = await afterRound(answer, history, format, { isForeign, deps });
    if ('answer' in next) return next.answer;
    history = next.history;
  }
}

export const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Calls that this module answers do not appear in the stream, nor do the ends of rounds that are followed by another. */
export async function* streamInRounds(
  body: Json,
  format: WireFormat,
  deps: RoundsDeps,
): AsyncGenerator<unknown> {
  const { body: prepared, isForeign } = prepare(body, format, deps);
  let history = format.history(body);
  deps.log?.({ type: 'message', role: 'user', content: history });
  for (let round = 1; ; round += 1) {
    const stream = await deps.create({ ...prepared, [format.conversation]: history });
    if (!isStream(stream)) throw new Error('The model server did not stream.');
    const collector = format.collector((name) => !isForeign(name), round === 1);
    for await (const event of stream) yield* collector.add(event);
    const { answer, last } = collector.end();
    if (round >= deps.settings.maxIterations && format.callsOf(answer).some(({ name }) => !isForeign(name))) {
      deps.onLimit();
      yield* last;
      return;
    }
    const next = await afterRound(answer, history, format, { isForeign, deps });
    if ('answer' in next) {
      yield* last;
      return;
    }
    for (const execution of next.executions) yield format.codeEvent(execution);
    history = next.history;
  }
}

/** Writes the end of the session, also if the consumer of the stream leaves early. */
export async function* logged(
  stream: AsyncIterable<unknown>,
  log: ConversationLog | null,
): AsyncGenerator<unknown> {
  let reason = 'stopped';
  try {
    yield* stream;
    reason = 'done';
  } finally {
    log?.({ type: 'session_end', reason });
  }
}

/** The same for an answer. */
export async function ended<T>(answer: Promise<T>, log: ConversationLog | null): Promise<T> {
  let reason = 'failed';
  try {
    const value = await answer;
    reason = 'done';
    return value;
  } finally {
    log?.({ type: 'session_end', reason });
  }
}
