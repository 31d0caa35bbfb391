import { type SyntheticEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Time in ms after an approval appears, or the window gets the focus, during which input cannot answer it.
 */
export const deafMs = 500;

/** Blocks clicks and keys that were meant for other content when an approval appeared under them. */
export function useGuard(appeared: unknown): {
  isDeaf(): boolean;
  hold(event: SyntheticEvent): void;
} {
  const until = useRef(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another appearance starts the pause anew
  useLayoutEffect(() => {
    until.current = performance.now() + deafMs;
  }, [appeared]);
  useEffect(() => {
    const again = (): void => {
      until.current = Math.max(until.current, performance.now() + deafMs);
    };
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, []);
  const isDeaf = useCallback(() => performance.now() < until.current, []);
  const hold = useCallback(
    (event: SyntheticEvent) => {
      const key = event.nativeEvent instanceof KeyboardEvent ? event.nativeEvent : null;
      const answers = key === null || key.key === 'Enter' || key.key === ' ';
      if (!answers || !(isDeaf() || key?.repeat)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    [isDeaf],
  );
  return { isDeaf, hold };
}
