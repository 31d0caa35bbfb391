/** Pages of a list that the host filters. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { Result } from '../../contract/result.ts';

/** `last`: the last known item, or `undefined` for the first page. */
export type ReadPage<T> = (
  limit: number,
  last: T | undefined,
) => Promise<Result<{ readonly items: readonly T[]; readonly hasMore: boolean }>>;

export interface Pages<T> {
  /** `null` until the first page arrives. */
  readonly items: readonly T[] | null;
  readonly more: boolean;
  readonly error: AppError | null;
  older(): void;
}

const pageSize = 50;
const mostAtOnce = 500;
/** Debounce of typing and of reloads while items change, in ms. */
const pauseMs = 250;

/** Another `read` starts at the first page; other `news` reload as many items as are loaded. */
export function usePages<T>(read: ReadPage<T>, news: string): Pages<T> {
  const [items, setItems] = useState<readonly T[] | null>(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(
    async (known: readonly T[], limit: number, left: () => boolean = () => false) => {
      const page = await read(limit, known.at(-1));
      if (left()) return;
      setError(page.ok ? null : page.error);
      if (!page.ok) return;
      setItems([...known, ...page.value.items]);
      setMore(page.value.hasMore);
    },
    [read],
  );
  const shown = useRef({ read, count: 0 });
  if (shown.current.read !== read) shown.current = { read, count: 0 };
  else shown.current.count = items?.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: news load the pages again
  useEffect(() => {
    let left = false;
    const limit = Math.min(mostAtOnce, Math.max(pageSize, shown.current.count));
    const timer = setTimeout(() => void load([], limit, () => left), items === null ? 0 : pauseMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [load, news]);
  return { items, more, error, older: () => void load(items ?? [], pageSize) };
}
