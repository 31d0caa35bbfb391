/** Work budget of one schema check (T25). */

export interface SchemaWork {
  left: number;
}

/** Ends the whole check, so that no `not`, `anyOf` or `if` treats it as a result. */
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

/** Copies JSON data; each value costs one step. */
export function copyWithin(value: unknown, work: SchemaWork): unknown {
  spend(work, 1);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyWithin(item, work));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    Object.defineProperty(copy, key, {
      value: copyWithin(item, work),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return copy;
}
