/** How much work one schema check may be (T25). */

export interface SchemaWork {
  left: number;
}

/** Ends the whole check: no `not`, `anyOf` or `if` may take it for an answer. */
export class SchemaWorkSpent extends Error {
  override readonly name = 'SchemaWorkSpent';
  readonly path: string;
  constructor(message = 'takes too much work to check against its schema', path = '') {
    super(message);
    this.path = path;
  }
}

export function spend(work: SchemaWork, steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw new SchemaWorkSpent();
}

/** A copy of JSON data; each value in it is one step. */
export function copyWithin(value: unknown, work: SchemaWork): unknown {
  spend(work, 1);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyWithin(item, work));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    Object.defineProperty(copy, key, {
      ...{ value: copyWithin(item, work), enumerable: true, writable: true, configurable: true },
    });
  return copy;
}
