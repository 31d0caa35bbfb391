import { type SyntheticEvent, useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * Time in ms after an approval appears, or the window gets the focus, during which input cannot answer it.
 */
const deafMs = 500;

/** Blocks clicks and keys that were meant for other content when an approval appeared under them. */
export function useGuard(appeared: unknown): {
  readonly isDeaf: boolean;
  hold(event: SyntheticEvent): void;
} {
  const [isDeaf, setDeaf] = useState(true);
  const until = useRef(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another appearance starts the pause anew
  useLayoutEffect(() => {
    let timer: number | undefined;
    const check = (): void => {
      const leftMs = until.current - performance.now();
      setDeaf(leftMs > 0);
      if (leftMs > 0) timer = window.setTimeout(check, leftMs);
    };
    const start = (): void => {
      window.clearTimeout(timer);
      until.current = performance.now() + deafMs;
      check();
    };
    start();
    window.addEventListener('focus', start);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('focus', start);
    };
  }, [appeared]);
  const hold = useCallback((event: SyntheticEvent) => {
    const key = event.nativeEvent instanceof KeyboardEvent ? event.nativeEvent : null;
    const answers = key === null || key.key === 'Enter' || key.key === ' ';
    if (!answers || !(performance.now() < until.current || key?.repeat)) return;
    event.preventDefault();
    event.stopPropagation();
  }, []);
  return { isDeaf, hold };
}
