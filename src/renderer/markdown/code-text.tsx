import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { type Colour, unlessSlow } from './code-budget.ts';

/** True below a text that still streams in: its code changes with every word. */
export const StreamingText = createContext(false);

let highlight: Colour | null = null;

export async function loadHighlight(): Promise<void> {
  const { highlightCode } = await import('./highlight.ts');
  highlight ??= unlessSlow(highlightCode, () => performance.now());
}

/** Loads the highlighter for the first block that needs it; `null` until then, or if it cannot be loaded. */
function useHighlight(isWanted: boolean): Colour | null {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    if (!isWanted || highlight !== null) return;
    let isMounted = true;
    loadHighlight().then(
      () => {
        if (isMounted) setLoaded(true);
      },
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [isWanted]);
  return highlight;
}

interface CodeOf {
  /** Empty for code that stays plain. */
  readonly language: string;
  readonly code: string;
  /** Shown while the code has no colours. */
  readonly children: ReactNode;
}

/** Code of a fenced block, coloured if its language is known. */
export function CodeText({ language, code, children }: CodeOf) {
  const isStreaming = useContext(StreamingText);
  const isWanted = language !== '' && !isStreaming;
  const colour = useHighlight(isWanted);
  const parts = useMemo(
    () => (isWanted ? (colour?.(language, code) ?? null) : null),
    [isWanted, colour, language, code],
  );
  if (parts === null) return children;
  return (
    <code>
      {parts.map(({ text, kind }, index) =>
        kind === null ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity
          <span key={index} className={kind}>
            {text}
          </span>
        ),
      )}
    </code>
  );
}
