/** The few events that a user interface shows, from a stream of chat completions or of responses. */
import { isRecord } from '../../contract/is-record.ts';

export type DisplayEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | {
      readonly type: 'code_execution';
      readonly id: string;
      /** Its language in the first line. */
      readonly code: string;
      readonly output: string;
      readonly status: 'completed' | 'failed';
    }
  /** Ends each model turn. `reason` is the provider's own word. */
  | { readonly type: 'turn_end'; readonly reason: string };

type Json = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const statusOf = (value: unknown): 'completed' | 'failed' => (value === 'failed' ? 'failed' : 'completed');

function* fromChunk(choices: readonly unknown[]): Generator<DisplayEvent> {
  const [choice] = choices;
  if (!isRecord(choice)) return;
  const said = isRecord(choice.delta) ? text(choice.delta.content) : '';
  if (said !== '') yield { type: 'text_delta', text: said };
  if (typeof choice.finish_reason === 'string') yield { type: 'turn_end', reason: choice.finish_reason };
}

function* fromItem(item: unknown): Generator<DisplayEvent> {
  if (!isRecord(item) || item.type !== 'code_interpreter_call') return;
  const outputs = Array.isArray(item.outputs) ? item.outputs.filter(isRecord) : [];
  yield {
    type: 'code_execution',
    id: text(item.id),
    code: text(item.code),
    output: outputs.map(({ logs }) => text(logs)).join(''),
    status: statusOf(item.status),
  };
}

function* fromExecution({ id, target, code, output, status }: Json): Generator<DisplayEvent> {
  const shown = `${text(target)}\n${text(code)}`;
  yield { type: 'code_execution', id: text(id), code: shown, output: text(output), status: statusOf(status) };
}

function* fromEvent(event: Json): Generator<DisplayEvent> {
  const said = event.type === 'response.output_text.delta' ? text(event.delta) : '';
  if (said !== '') yield { type: 'text_delta', text: said };
  else if (event.type === 'response.output_item.done') yield* fromItem(event.item);
  else if (event.type === 'response.completed') yield { type: 'turn_end', reason: 'completed' };
  else if (event.type === 'response.incomplete') yield { type: 'turn_end', reason: 'incomplete' };
  else if (event.type === 'response.failed') yield { type: 'turn_end', reason: 'failed' };
}

export async function* toDisplayEvents(stream: AsyncIterable<unknown>): AsyncGenerator<DisplayEvent> {
  for await (const event of stream) {
    if (!isRecord(event)) continue;
    if (isRecord(event.code_execution)) yield* fromExecution(event.code_execution);
    else if (Array.isArray(event.choices)) yield* fromChunk(event.choices);
    else yield* fromEvent(event);
  }
}
