/** Chat completions: messages, and streams of chunks. Only the first choice may call tools. */
import { isRecord } from '../../contract/is-record.ts';
import type { StreamCollector, WireFormat } from './rounds.ts';
import type { ToolCall } from './tool-pool.ts';

type Json = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textAt = (value: unknown, key: string): string =>
  isRecord(value) && typeof value[key] === 'string' ? value[key] : '';

const firstMessage = (answer: Json): Json => {
  const message = list(answer.choices)[0]?.message;
  return isRecord(message) ? message : {};
};

const toCall = (call: Json): ToolCall => ({
  id: textAt(call, 'id'),
  name: textAt(call.function, 'name'),
  argumentsText: textAt(call.function, 'arguments'),
});

interface Growing {
  id: string;
  name: string;
  args: string;
}

function collector(isOwn: (name: string) => boolean): StreamCollector {
  const calls = new Map<number, Growing>();
  const held: unknown[] = [];
  let text = '';
  const grow = (part: Json): Growing => {
    const index = typeof part.index === 'number' ? part.index : 0;
    const call = calls.get(index) ?? { id: '', name: '', args: '' };
    call.id ||= textAt(part, 'id');
    call.name ||= textAt(part.function, 'name');
    call.args += textAt(part.function, 'arguments');
    calls.set(index, call);
    return call;
  };
  return {
    add(event) {
      const [choice] = isRecord(event) ? list(event.choices) : [];
      if (!isRecord(event) || !choice || !isRecord(choice.delta)) {
        held.push(event);
        return [];
      }
      const { tool_calls: parts, ...delta } = choice.delta;
      text += textAt(delta, 'content');
      const shown = list(parts).filter((part) => !isOwn(grow(part).name));
      const isEnd = choice.finish_reason !== null && choice.finish_reason !== undefined;
      const next = { ...delta, ...(shown.length > 0 ? { tool_calls: shown } : {}) };
      if (list(parts).length > 0 && Object.keys(next).length === 0 && !isEnd) return [];
      const made = { ...event, choices: [{ ...choice, delta: next }] };
      if (!isEnd) return [made];
      held.push(made);
      return [];
    },
    end() {
      const made = [...calls.entries()]
        .sort(([a], [b]) => a - b)
        .map(([, { id, name, args }]) => ({ id, type: 'function', function: { name, arguments: args } }));
      const message = {
        role: 'assistant',
        content: text === '' ? null : text,
        ...(made.length > 0 ? { tool_calls: made } : {}),
      };
      return { answer: { choices: [{ index: 0, message }] }, last: held };
    },
  };
}

export const chatFormat: WireFormat = {
  conversation: 'messages',
  toolDefinition: ({ name, description, parameters }, strict) => ({
    type: 'function',
    function: { name, description, parameters, ...(strict ? { strict: true } : {}) },
  }),
  definedName: (definition) => (isRecord(definition) ? textAt(definition.function, 'name') || null : null),
  history: ({ messages }) => (Array.isArray(messages) ? messages : []),
  callsOf: (answer) => list(firstMessage(answer).tool_calls).map(toCall),
  without(answer, ids) {
    const [choice = {}, ...others] = list(answer.choices);
    const message = firstMessage(answer);
    const kept = list(message.tool_calls).filter((call) => !ids.has(textAt(call, 'id')));
    return { ...answer, choices: [{ ...choice, message: { ...message, tool_calls: kept } }, ...others] };
  },
  additions: (answer, calls, results) => [
    firstMessage(answer),
    ...calls.map(({ id }, index) => ({
      role: 'tool',
      tool_call_id: id,
      content: results[index]?.text ?? '',
    })),
  ],
  collector: (isOwn) => collector(isOwn),
  instructed(body, instructions) {
    const messages = Array.isArray(body.messages) ? body.messages : [];
    const [first, ...others] = messages.filter(isRecord);
    const isSystem = first?.role === 'system' || first?.role === 'developer';
    if (!isSystem || typeof first.content !== 'string')
      return { ...body, messages: [{ role: 'system', content: instructions }, ...messages] };
    return { ...body, messages: [{ ...first, content: `${first.content}\n\n${instructions}` }, ...others] };
  },
  textOf: (answer) => textAt(firstMessage(answer), 'content'),
  textDelta(event) {
    const [choice] = isRecord(event) ? list(event.choices) : [];
    return isRecord(choice?.delta) && typeof choice.delta.content === 'string' ? choice.delta.content : null;
  },
  withDelta(event, text) {
    if (!isRecord(event)) return event;
    const [choice, ...others] = list(event.choices);
    const delta = isRecord(choice?.delta) ? choice.delta : {};
    return { ...event, choices: [{ ...choice, delta: { ...delta, content: text } }, ...others] };
  },
  withWhole: (event) => event,
  // Without choices, as the chunk of the usage: programs skip it.
  codeEvent: (execution) => ({
    id: execution.id,
    object: 'chat.completion.chunk',
    created: 0,
    model: 'ptc',
    choices: [],
    code_execution: execution,
  }),
};
