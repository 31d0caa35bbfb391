import { useState } from 'react';

/** Edits on top of the stored values; a field that was not edited follows what is stored. */
export interface Form<T> {
  readonly value: T;
  /** True while an edit differs from the stored value. */
  readonly changed: boolean;
  change(part: Partial<T>): void;
  /** Drops all edits. */
  discard(): void;
}

export function useForm<T extends object>(stored: T): Form<T> {
  const [edits, setEdits] = useState<Partial<T>>({});
  const keys = Object.keys(edits) as (keyof T)[];
  return {
    value: { ...stored, ...edits },
    changed: keys.some((key) => edits[key] !== stored[key]),
    change: (part) => setEdits((old) => ({ ...old, ...part })),
    discard: () => setEdits({}),
  };
}
