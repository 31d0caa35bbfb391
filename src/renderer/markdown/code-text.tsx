import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Colour, unlessSlow } from './code-budget.ts';
import type { CodePart } from './highlight.ts';

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

/** Time that a block stays in view before it gets its colours, in ms. */
const restMs = 100;

/**
 * True once the block has stayed in view. Colours are most of the elements of a message with code, so a block
 * that only passes while the reader scrolls stays plain.
 */
function useRested(place: RefObject<Element | null>, isWanted: boolean): boolean {
  const [isRested, setRested] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (!isWanted || isRested || place.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = new IntersectionObserver((seen) => {
      clearTimeout(timer);
      if (seen.at(-1)?.isIntersecting === true) timer = setTimeout(() => setRested(true), restMs);
    });
    watch.observe(place.current);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
    };
  }, [place, isWanted, isRested]);
  return isRested;
}

interface CodeOf {
  /** Empty for code that stays plain. */
  readonly language: string;
  readonly code: string;
  /** Shown while the code has no colours. */
  readonly children: ReactNode;
}

/** Fenced block of code, coloured if its language is known. */
export function CodeText({ language, code, children }: CodeOf) {
  const place = useRef<HTMLPreElement>(null);
  const isStreaming = useContext(StreamingText);
  const isColourable = language !== '' && !isStreaming;
  const isWanted = useRested(place, isColourable) && isColourable;
  const colour = useHighlight(isWanted);
  const parts = useMemo(
    () => (isWanted ? (colour?.(language, code) ?? null) : null),
    [isWanted, colour, language, code],
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide code scrolls, so the keyboard must reach it
    <pre tabIndex={0} ref={place}>
      {parts === null ? children : <Coloured parts={parts} />}
    </pre>
  );
}

function Coloured({ parts }: { readonly parts: readonly CodePart[] }) {
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
