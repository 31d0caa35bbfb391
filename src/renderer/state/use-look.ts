import { useCallback, useEffect, useRef, useState } from 'react';
import type { MethodInput, MethodName } from '../../contract/methods.ts';
import { useReplica } from './subscriptions.ts';
import type { ReadState } from './use-read.ts';

/** Reads a method on mount, on `reload`, and every `everyMs` while the page is visible. */
export function useLook<M extends MethodName>(
  method: M,
  input: MethodInput<M>,
  everyMs: number,
): ReadState<M> {
  const { link } = useReplica();
  const [seen, setSeen] = useState<Pick<ReadState<M>, 'value' | 'error'>>({ value: null, error: null });
  const asked = useRef(0);
  const shown = useRef(0);
  const text = JSON.stringify(input);
  const reload = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const result = await link.call(method, JSON.parse(text) as MethodInput<M>);
    // A later look was answered already.
    if (mine < shown.current) return;
    shown.current = mine;
    if (result.ok) setSeen({ value: result.value, error: null });
    else setSeen(({ value }) => ({ value, error: result.error }));
  }, [link, method, text]);
  useEffect(() => {
    void reload();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
  return { ...seen, reload };
}
