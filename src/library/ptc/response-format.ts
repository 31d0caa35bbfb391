/** The responses interface: input and output items, and streams of events. */
import { isRecord } from '../../contract/is-record.ts';
import type { StreamCollector, WireFormat } from './rounds.ts';
import type { ToolCall } from './tool-pool.ts';

type Json = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const isCall = (item: Json): boolean => item.type === 'function_call';

const toCall = (item: Json): ToolCall => ({
  id: text(item.call_id),
  name: text(item.name),
  argumentsText: text(item.arguments),
});

const contentOf = (item: Json): readonly Json[] => (item.type === 'message' ? list(item.content) : []);
const itemText = (item: Json): string =>
  contentOf(item)
    .map((part) => text(part.text))
    .join('');

/** The item with this text in place of its own. */
const withText = (item: Json, whole: string): Json => {
  const [first, ...others] = contentOf(item);
  return first ? { ...item, content: [{ ...first, text: whole }, ...others] } : item;
};

const ends: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);
const starts: ReadonlySet<unknown> = new Set(['response.created', 'response.in_progress', 'response.queued']);

function collector(isOwn: (name: string) => boolean, isFirst: boolean): StreamCollector {
  const held: unknown[] = [];
  const done: Json[] = [];
  const hidden = new Set<unknown>();
  let answer: Json | null = null;
  const isHidden = (event: Json): boolean => {
    const { item } = event;
    if (isRecord(item) && isCall(item) && isOwn(text(item.name))) {
      hidden.add(item.id);
      return true;
    }
    return 'item_id' in event && hidden.has(event.item_id);
  };
  return {
    add(event) {
      if (!isRecord(event)) return [event];
      if (event.type === 'response.output_item.done' && isRecord(event.item)) done.push(event.item);
      if (ends.has(event.type)) {
        if (isRecord(event.response)) answer = event.response;
        held.push(event);
        return [];
      }
      return isHidden(event) || (!isFirst && starts.has(event.type)) ? [] : [event];
    },
    end: () => ({
      // Some servers send the end without the items.
      answer: answer && list(answer.output).length > 0 ? answer : { ...answer, output: done },
      last: held,
    }),
  };
}

export const responseFormat: WireFormat = {
  conversation: 'input',
  toolDefinition: ({ name, description, parameters }, strict) => ({
    type: 'function',
    name,
    description,
    parameters,
    strict,
  }),
  definedName: (definition) => (isRecord(definition) ? text(definition.name) || null : null),
  history: ({ input }) => (Array.isArray(input) ? input : [{ role: 'user', content: text(input) }]),
  callsOf: (answer) => list(answer.output).filter(isCall).map(toCall),
  without: (answer, ids) => ({
    ...answer,
    output: list(answer.output).filter((item) => !isCall(item) || !ids.has(text(item.call_id))),
  }),
  additions: (answer, calls, results) => [
    ...list(answer.output),
    ...calls.map(({ id }, index) => ({
      type: 'function_call_output',
      call_id: id,
      output: results[index]?.text ?? '',
    })),
  ],
  collector,
  instructed: (body, instructions) => ({
    ...body,
    instructions:
      typeof body.instructions === 'string' ? `${body.instructions}\n\n${instructions}` : instructions,
  }),
  textOf: (answer) => list(answer.output).map(itemText).join(''),
  textDelta: (event) =>
    isRecord(event) && event.type === 'response.output_text.delta' ? text(event.delta) : null,
  withDelta: (event, delta) => (isRecord(event) ? { ...event, delta } : event),
  withWhole(event, whole) {
    if (!isRecord(event)) return event;
    if (event.type === 'response.output_text.done') return { ...event, text: whole };
    if (event.type === 'response.content_part.done' && isRecord(event.part))
      return { ...event, part: { ...event.part, text: whole } };
    if (event.type === 'response.output_item.done' && isRecord(event.item))
      return { ...event, item: withText(event.item, whole) };
    if (ends.has(event.type) && isRecord(event.response)) {
      const output = list(event.response.output).map((item) => withText(item, whole));
      return { ...event, response: { ...event.response, output } };
    }
    return event;
  },
  codeEvent: ({ id, target, code, output, status }) => ({
    type: 'response.output_item.done',
    output_index: 0,
    item: {
      type: 'code_interpreter_call',
      id,
      container_id: 'ptc',
      code: `${target}\n${code}`,
      status,
      outputs: [{ type: 'logs', logs: output }],
    },
  }),
};
