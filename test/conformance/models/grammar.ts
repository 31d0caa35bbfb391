import type { ModelEvent } from '../../../src/core/models/model-ports.ts';

/**
 * Lists the violated invariants of a model stream (see `ModelEvent`). Plain comparisons, because some suites
 * call it tens of thousands of times.
 */
export function broken(events: readonly ModelEvent[]): readonly string[] {
  const faults: string[] = [];
  const open = new Map<number, string>();
  const ended = new Set<number>();
  const claim = (holds: boolean, text: string): void => {
    if (!holds) faults.push(text);
  };
  for (const [at, event] of events.entries()) {
    const terminal = event.type === 'done' || event.type === 'error';
    claim(terminal === (at === events.length - 1), `event ${at} of ${events.length} is ${event.type}`);
    claim(event.type !== 'start' || at === 0, 'a start in the middle');
    if (!('contentIndex' in event)) continue;
    const [kind = '', edge] = event.type.split('_');
    const index = event.contentIndex;
    if (edge === 'start') {
      claim(index === open.size, `block ${index} begins out of order`);
      open.set(index, kind);
      continue;
    }
    claim(open.get(index) === kind && !ended.has(index), `${event.type} of a block that is not open`);
    if (edge === 'end') ended.add(index);
  }
  const end = events.at(-1);
  claim(end !== undefined, 'no event at all');
  if (end?.type === 'done') claim(ended.size === open.size, 'a block without an end');
  if (end?.type !== 'error') return faults;
  claim(end.message.stopReason === end.reason, 'two reasons');
  for (const [index, block] of end.message.content.entries())
    claim(
      block.type !== 'toolCall' || ended.has(index) || Boolean(block.argumentsError),
      `call ${index} of a broken reply looks whole`,
    );
  return faults;
}
