import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { AppError } from '../../contract/errors.ts';
import type { MethodInput } from '../../contract/methods.ts';
import type { RestorePointView } from '../../contract/undo-methods.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface Points {
  /** `null` before the first reading. */
  readonly points: readonly RestorePointView[] | null;
  readonly hasMore: boolean;
  readonly error: AppError | null;
}

const nothing: Points = { points: null, hasMore: false, error: null };

/** Restore points of a query, read again after every undo. An empty list of `points` asks nothing. */
export function usePoints(query: MethodInput<'undo.list'>): Points {
  const { link, undo } = useReplica();
  const asks = query.points?.length !== 0;
  useEffect(() => (asks ? undo.use() : undefined), [undo, asks]);
  const revision = useStore(undo.store, ({ state }) => state?.revision ?? 0);
  const [found, setFound] = useState<Points>(nothing);
  const key = JSON.stringify({ query, revision });
  useEffect(() => {
    if (!asks) return;
    let gone = false;
    const { query: wanted } = JSON.parse(key) as { query: MethodInput<'undo.list'> };
    void link.call('undo.list', wanted).then((result) => {
      if (gone) return;
      setFound(
        result.ok
          ? { points: result.value.points, hasMore: result.value.next !== null, error: null }
          : { ...nothing, error: result.error },
      );
    });
    return () => {
      gone = true;
    };
  }, [link, key, asks]);
  return found;
}
