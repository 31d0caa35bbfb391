/**
 * Rounds in which the model writes code into its answers: the directives of an answer run when it is complete, and the
 * next request has their results. Prose after directives ends the answer, because it was written without the results.
 */
import { fenceFor } from '../../core/approvals/shown-text.ts';
import type { Directive, DirectiveEvent } from '../../core/ptc/directive.ts';
import { DirectiveParser } from '../../core/ptc/directive-parser.ts';
import { KeptOutput } from '../../core/ptc/kept-output.ts';
import type { ConversationLog } from '../conversation-log.ts';
import type { CodeExecution } from './code-execution.ts';
import { isStream, jsonObject, type StreamCollector, type WireFormat } from './rounds.ts';

type Json = Readonly<Record<string, unknown>>;

export interface DirectiveRoundsDeps {
  /** The unpatched method. */
  readonly create: (body: Json) => Promise<unknown>;
  readonly run: (directives: readonly Directive[]) => Promise<readonly CodeExecution[]>;
  readonly settings: { readonly instructions: string; readonly maxIterations: number };
  readonly log: ConversationLog | null;
  readonly onCode: (execution: CodeExecution) => void;
  readonly onLimit: () => void;
}

/** Characters of an output that the model reads. */
const longestOutput = 20_000;

/** Reads one answer. */
class AnswerReader {
  readonly #parser = new DirectiveParser();
  readonly directives: Directive[] = [];
  /** Directives that the answer ended in. */
  readonly incomplete: string[] = [];
  /** Text of the model with its directives, and without the prose after them. */
  kept = '';
  /** The same without the directives. */
  shown = '';

  get isStopped(): boolean {
    return this.#parser.isStopped;
  }

  /** Text to show. */
  push(delta: string): string {
    return this.#take(this.#parser.push(delta));
  }

  end(): string {
    return this.#take(this.#parser.end());
  }

  #take(events: readonly DirectiveEvent[]): string {
    const before = this.shown.length;
    for (const event of events) {
      if (event.type === 'text') {
        this.kept += event.text;
        this.shown += event.text;
      } else if (event.type === 'directive') {
        this.kept += event.directive.source;
        this.directives.push(event.directive);
      } else if (event.type === 'incomplete') {
        this.kept += event.text;
        this.incomplete.push(`${event.target}:${event.action}`);
      }
    }
    return this.shown.slice(before);
  }
}

/** Result of code for the model. The output is untrusted, so no text in it ends its fence. */
export function executionText({ target, status, exitCode, durationMs, output }: CodeExecution): string {
  const kept = new KeptOutput(longestOutput);
  kept.add(output);
  const fence = fenceFor(kept.text);
  const code = exitCode === null ? '' : `, exit code ${exitCode}`;
  return `${target}: ${status}${code}, ${durationMs} ms\n${fence}\n${kept.text}\n${fence}`;
}

const resultsText = (executions: readonly CodeExecution[], incomplete: readonly string[]): string =>
  [
    'Execution results:',
    ...executions.map((execution, index) => `[${index + 1}] ${executionText(execution)}`),
    ...incomplete.map(
      (name) => `${name}: not run, because your answer ended inside it. Send it again, shorter.`,
    ),
  ].join('\n\n');

class Rounds {
  readonly #format: WireFormat;
  readonly #deps: DirectiveRoundsDeps;
  readonly #body: Json;
  #history: readonly unknown[];
  #round = 0;

  constructor(body: Json, format: WireFormat, deps: DirectiveRoundsDeps) {
    this.#format = format;
    this.#deps = deps;
    this.#body = format.instructed(body, deps.settings.instructions);
    this.#history = format.history(this.#body);
    deps.log?.({ type: 'message', role: 'user', content: this.#history });
  }

  get isFirst(): boolean {
    return this.#round === 1;
  }

  next(): Promise<unknown> {
    this.#round += 1;
    return this.#deps.create({ ...this.#body, [this.#format.conversation]: this.#history });
  }

  /** Code that ran; `null` if the answer is the last one. */
  async after(reader: AnswerReader, callsTools: boolean): Promise<readonly CodeExecution[] | null> {
    const { run, settings, log, onCode, onLimit } = this.#deps;
    const { directives, incomplete, kept } = reader;
    log?.({ type: 'message', role: 'assistant', content: kept });
    if (callsTools || directives.length + incomplete.length === 0) return null;
    if (this.#round >= settings.maxIterations) {
      onLimit();
      return null;
    }
    const executions = await run(directives);
    for (const execution of executions) onCode(execution);
    const results = { role: 'user', content: resultsText(executions, incomplete) };
    this.#history = [...this.#history, { role: 'assistant', content: kept }, results];
    log?.({ type: 'message', ...results });
    return executions;
  }
}

/** The last answer of the model. */
export async function answerWithCode(
  body: Json,
  format: WireFormat,
  deps: DirectiveRoundsDeps,
): Promise<unknown> {
  const rounds = new Rounds(body, format, deps);
  for (;;) {
    const answer = jsonObject(await rounds.next());
    const reader = new AnswerReader();
    reader.push(format.textOf(answer));
    reader.end();
    if ((await rounds.after(reader, format.callsOf(answer).length > 0)) === null) return answer;
  }
}

/** The events of one answer to show. Leaving the stream early ends its request. */
async function* shownEvents(
  stream: AsyncIterable<unknown>,
  reader: AnswerReader,
  { format, collector }: { readonly format: WireFormat; readonly collector: StreamCollector },
): AsyncGenerator<unknown> {
  let spoken: unknown = null;
  for await (const event of stream) {
    const delta = format.textDelta(event);
    if (delta === null) {
      // The text may end before the answer does.
      const rest = spoken !== null && format.withWhole(event, '') !== event ? reader.end() : '';
      if (rest !== '') yield format.withDelta(spoken, rest);
      yield* collector.add(format.withWhole(event, reader.shown));
    } else {
      spoken ??= event;
      yield* collector.add(format.withDelta(event, reader.push(delta)));
      if (reader.isStopped) return;
    }
  }
  const rest = reader.end();
  if (rest !== '' && spoken !== null) yield format.withDelta(spoken, rest);
}

/** One stream of all rounds: text without directives, and an event for all code that ran. */
export async function* streamWithCode(
  body: Json,
  format: WireFormat,
  deps: DirectiveRoundsDeps,
): AsyncGenerator<unknown> {
  const rounds = new Rounds(body, format, deps);
  for (;;) {
    const stream = await rounds.next();
    if (!isStream(stream)) throw new Error('The model server did not stream.');
    const reader = new AnswerReader();
    const collector = format.collector(() => false, rounds.isFirst);
    yield* shownEvents(stream, reader, { format, collector });
    const { answer, last } = collector.end();
    const executions = await rounds.after(reader, format.callsOf(answer).length > 0);
    if (executions === null) {
      yield* last;
      return;
    }
    for (const execution of executions) yield format.codeEvent(execution);
  }
}
