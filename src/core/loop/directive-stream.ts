/**
 * Turns directives in the text of an answer into calls of tools, while the answer streams. Prose after a group of
 * directives ends the answer: the model wrote it without the results, so the request is aborted and the prose is dropped.
 * The calls of one group form one batch, and each is decided like any other call.
 */
import type { AssistantContent, AssistantMessage, ToolCallBlock } from '../models/messages.ts';
import type { BlockEvent, ModelEvent } from '../models/model-ports.ts';
import { type Directive, type DirectiveEvent, fileContent } from '../ptc/directive.ts';
import { DirectiveParser, parseDirectives } from '../ptc/directive-parser.ts';
import type { StreamFunction } from './stream-function.ts';
import { textCallPrefix } from './text-mode.ts';

const languages: Readonly<Record<string, string>> = {
  bash: 'bash',
  sh: 'bash',
  python: 'python',
  py: 'python',
  node: 'node',
  js: 'node',
  javascript: 'node',
  ts: 'typescript',
  typescript: 'typescript',
};

export interface DirectiveOptions {
  /** Whether the agent is offered this tool. */
  hasTool(name: string): boolean;
  uuid(): string;
}

type Wanted = Pick<ToolCallBlock, 'name' | 'arguments'>;

/** The call that a directive stands for. A target that no tool runs becomes a call that fails, and runs nothing. */
function callOf({ target, action, body }: Omit<Directive, 'source'>, { hasTool }: DirectiveOptions): Wanted {
  if (action === 'create')
    return { name: 'write_file', arguments: { path: target, content: fileContent({ body }) } };
  const language = languages[target.toLowerCase()] ?? target;
  if (!hasTool('run_script')) {
    const shell = ['shell', 'bash_exec'].find(hasTool);
    if (language === 'bash' && shell !== undefined) return { name: shell, arguments: { cmd: body } };
    if (language === 'node' && hasTool('code')) return { name: 'code', arguments: { code: body } };
  }
  return { name: 'run_script', arguments: { language, code: body } };
}

const textOf = ({ content }: AssistantMessage): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

function callsOf(
  events: readonly DirectiveEvent[],
  options: DirectiveOptions,
  isCut: boolean,
): readonly Wanted[] {
  return events.flatMap((event) => {
    if (event.type === 'directive') return [callOf(event.directive, options)];
    // The batch of an answer that was cut off is refused with that reason, and nothing of it runs.
    return event.type === 'incomplete' && isCut ? [callOf({ ...event, body: event.text }, options)] : [];
  });
}

/** The text that stays: in text mode the model sees its directives there, otherwise as calls. */
function keptText(events: readonly DirectiveEvent[], isTextMode: boolean, isCut: boolean): string {
  return events
    .map((event) => {
      if (event.type === 'text') return event.text;
      if (event.type === 'directive') return isTextMode ? event.directive.source : '';
      return event.type === 'incomplete' && (isTextMode || !isCut) ? event.text : '';
    })
    .join('');
}

/** The same message if it has no directives. */
function withCalls(
  message: AssistantMessage,
  options: DirectiveOptions,
  isTextMode: boolean,
): AssistantMessage {
  const isCut = message.stopReason === 'length';
  const events = parseDirectives(textOf(message));
  const wanted = callsOf(events, options, isCut);
  if (wanted.length === 0) return message;
  const id = (): string => `${isTextMode ? textCallPrefix : 'dir_'}${options.uuid().replaceAll('-', '')}`;
  const calls = wanted.map((call): ToolCallBlock => ({ type: 'toolCall', id: id(), ...call }));
  const text = keptText(events, isTextMode, isCut).trimEnd();
  const { errorMessage: _, ...rest } = message;
  const others = message.content.filter(({ type }) => type !== 'text');
  const isBefore = (block: AssistantContent): boolean => block.type === 'thinking';
  return {
    ...rest,
    content: [
      ...others.filter(isBefore),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...others.filter((block) => !isBefore(block)),
      ...calls,
    ],
    stopReason: isCut ? 'length' : 'toolUse',
  };
}

/** Text that is shown; directives are steps. */
const shownText = (events: readonly DirectiveEvent[]): string =>
  events.map((event) => (event.type === 'text' || event.type === 'incomplete' ? event.text : '')).join('');

type TextDelta = Extract<BlockEvent, { readonly delta: string }>;

/** Reads one answer. */
class DirectiveReader {
  readonly #options: DirectiveOptions;
  readonly #isTextMode: boolean;
  readonly #parser = new DirectiveParser();
  #last: TextDelta | null = null;
  #isStopped = false;

  constructor(options: DirectiveOptions, isTextMode: boolean) {
    this.#options = options;
    this.#isTextMode = isTextMode;
  }

  /** Prose follows the directives: nothing more counts. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The events that are shown for one of the stream. */
  shown(event: Exclude<ModelEvent, { type: 'done' }>): readonly ModelEvent[] {
    if (event.type === 'error') return [event];
    if (this.#isStopped) return [];
    if (event.type !== 'text_delta') return [event];
    this.#last = event;
    const events = this.#parser.push(event.delta);
    this.#isStopped = events.some(({ type }) => type === 'stop');
    const delta = shownText(events);
    return delta === '' ? [] : [{ ...event, delta }];
  }

  end(given: AssistantMessage): readonly ModelEvent[] {
    const left = this.#isStopped ? '' : shownText(this.#parser.end());
    const message = withCalls(given, this.#options, this.#isTextMode);
    const { stopReason } = message;
    const reason = stopReason === 'length' || stopReason === 'stop' ? stopReason : 'toolUse';
    const held = left === '' || !this.#last ? [] : [{ ...this.#last, delta: left, partial: given }];
    return [...held, { type: 'done', reason, message }];
  }
}

export function withDirectives(stream: StreamFunction, options: DirectiveOptions): StreamFunction {
  return async function* directives(context, streamOptions, signal): AsyncGenerator<ModelEvent> {
    const enough = new AbortController();
    const reader = new DirectiveReader(options, streamOptions.model.nativeTools === false);
    for await (const event of stream(context, streamOptions, AbortSignal.any([signal, enough.signal]))) {
      const isCut = event.type === 'error' && reader.isStopped && !signal.aborted;
      if (event.type === 'done' || isCut) {
        yield* reader.end(event.message);
        return;
      }
      yield* reader.shown(event);
      if (reader.isStopped) enough.abort();
    }
  };
}

/** How to write directives, for the system prompt. */
export function directiveInstructions({ hasTool }: Pick<DirectiveOptions, 'hasTool'>): string {
  const targets = hasTool('run_script')
    ? ['python', 'node', 'typescript', 'bash']
    : [...(hasTool('shell') || hasTool('bash_exec') ? ['bash'] : []), ...(hasTool('code') ? ['node'] : [])];
  const lines = [
    '',
    '# Directives',
    ...(targets.length === 0
      ? []
      : [
          `A fenced block whose info line is TARGET:execute runs its code. Targets: ${targets.join(', ')}. Example:`,
          `\`\`\`\`${targets[0]}:execute`,
          targets[0] === 'bash' ? 'ls' : targets[0] === 'node' ? 'return 1 + 1' : 'print(1 + 1)',
          '````',
        ]),
    ...(hasTool('write_file')
      ? [
          'A block NAME:create writes the file NAME of your workspace. Use four backticks if the content has fences.',
        ]
      : []),
    'Blocks directly after each other form a group, which runs together. Then stop: the results come in the next message.',
    'Text after a group is dropped, because it was written without the results.',
  ];
  return targets.length === 0 && !hasTool('write_file') ? '' : lines.join('\n');
}
