/** Notes in a map, without history: for tests of what uses them. */
import { appError } from '../../src/contract/errors.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { MemoryPort } from '../../src/core/tool-ports.ts';

export function createPlainMemory(start: Readonly<Record<string, string>> = {}): MemoryPort {
  const notes = new Map(Object.entries(start));
  let foreign = false;
  const missing = (name: string) => err(appError('not_found', `There is no note "${name}".`));
  return {
    notes: () => ok([...notes].map(([name, text]) => ({ name, bytes: text.length, updatedAt: 0 }))),
    read: (name) => {
      const text = notes.get(name);
      return text === undefined ? missing(name) : ok(text);
    },
    write: (name, text, _by, ofOthers) => {
      notes.set(name, text);
      foreign ||= ofOthers === true;
      return ok(undefined);
    },
    foreign: () => foreign,
    forget: (name) => (notes.delete(name) ? ok(undefined) : missing(name)),
    history: (name) => missing(name),
    restore: (name) => missing(name),
  };
}
