import { useEffect, useRef, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { SearchHit } from '../../contract/history-methods.ts';
import { useReplica } from '../state/subscriptions.ts';

const typingMs = 180;
/** A search that takes longer than this is indexing new messages first, in ms. */
const slowMs = 800;
const pageSize = 30;

export interface Results {
  /** `null` before the first search. */
  readonly hits: readonly SearchHit[] | null;
  /** The hits answer an earlier query. */
  readonly stale: boolean;
  readonly hasMore: boolean;
  readonly error: AppError | null;
  readonly busy: boolean;
  readonly slow: boolean;
  older(): void;
}

interface Answer extends Pick<Results, 'hits' | 'hasMore' | 'error'> {
  /** Words and room that were asked for. */
  readonly query: string;
}

const nothing: Answer = { hits: null, hasMore: false, error: null, query: '' };

const queryOf = (asked: string, room: string | null): string => `${room ?? ''} ${asked}`;

/** Debounces typing and drops answers to older queries. */
export function useResults(words: string, room: string | null): Results {
  const { link } = useReplica();
  const [state, setState] = useState(nothing);
  const [busy, setBusy] = useState(false);
  const [slow, setSlow] = useState(false);
  const turn = useRef(0);
  const asked = words.trim();
  const ask = async (before: string | null, kept: readonly SearchHit[]): Promise<void> => {
    const mine = ++turn.current;
    setBusy(true);
    // An older question may be answered after this one.
    setSlow(false);
    const timer = setTimeout(() => setSlow(turn.current === mine), slowMs);
    const where = { ...(room === null ? {} : { room }), ...(before === null ? {} : { before }) };
    const result = await link.call('chat.search', { words: asked, limit: pageSize, ...where });
    clearTimeout(timer);
    if (turn.current !== mine) return;
    setBusy(false);
    setSlow(false);
    const query = queryOf(asked, room);
    if (result.ok)
      setState({ hits: [...kept, ...result.value.hits], hasMore: result.value.hasMore, error: null, query });
    else setState({ hits: kept.length > 0 ? kept : null, hasMore: false, error: result.error, query });
  };
  const latest = useRef(ask);
  latest.current = ask;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another room is another question
  useEffect(() => {
    if (asked === '') {
      turn.current += 1;
      setState(nothing);
      setBusy(false);
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => void latest.current(null, []), typingMs);
    return () => clearTimeout(timer);
  }, [asked, room]);
  const older = (): void => {
    const last = state.hits?.at(-1);
    if (last !== undefined) void ask(last.id, state.hits ?? []);
  };
  const { query, ...answer } = state;
  return { ...answer, stale: query !== queryOf(asked, room), busy, slow, older };
}
