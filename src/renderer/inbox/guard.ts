import { type SyntheticEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** For so long after a question appeared (or the window came back) nothing answers it: ms. */
export const deafMs = 500;

/** Somebody who types or clicks on when a question slides under their hand must not have answered it. */
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
