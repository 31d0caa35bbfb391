/** Memory notes in a map, without history. */
import { textError } from '../../src/contract/errors.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { MemoryPort } from '../../src/core/agents/memory-port.ts';

export function createPlainMemory(start: Readonly<Record<string, string>> = {}): MemoryPort {
  const notes = new Map(Object.entries(start));
  let unconfirmed = false;
  const missing = (name: string) => err(textError('not_found', `There is no note "${name}".`));
  return {
    notes: () =>
      ok(
        [...notes].map(([name, text]) => ({
          name,
          bytes: text.length,
          updatedAt: 0,
          confirmed: !unconfirmed,
        })),
      ),
    read: (name) => {
      const text = notes.get(name);
      return text === undefined ? missing(name) : ok(text);
    },
    write: (name, text, _by, source) => {
      notes.set(name, text);
      unconfirmed ||= Boolean(source);
      return ok(undefined);
    },
    foreign: () => unconfirmed,
    unconfirmed: () => ok(null),
    confirm: (name) => missing(name),
    dropUnconfirmed: (name) => missing(name),
    forget: (name) => (notes.delete(name) ? ok(undefined) : missing(name)),
    history: (name) => missing(name),
    restore: (name) => missing(name),
  };
}
