import { useEffect, useRef, useState } from 'react';
import type { FindingView } from '../../contract/workflow-methods.ts';
import { visibleLine } from '../words/visible-text.ts';

/** As in the style sheet: px. */
export const lineHeight = 20;
const padding = 10;

interface GutterOf {
  readonly lines: number;
  /** How far the text is scrolled: px. */
  readonly top: number;
  readonly findings: readonly FindingView[];
}

/** Numbers of the lines in sight, with a mark at each that something is said about; the list below says the same in words. */
export function LineGutter({ lines, top, findings }: GutterOf) {
  const place = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setHeight(entry?.contentRect.height ?? 0));
    if (place.current !== null) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const first = Math.max(0, Math.floor((top - padding) / lineHeight));
  const last = Math.min(lines, first + Math.ceil(height / lineHeight) + 2);
  const marks = marksOf(findings);
  return (
    <div ref={place} className="editor-gutter" aria-hidden="true">
      {Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index + 1).map((line) => {
        const mark = marks.get(line);
        return (
          <span
            key={line}
            className={mark === undefined ? undefined : `is-${mark.severity}`}
            title={mark?.words}
            style={{ insetBlockStart: padding + (line - 1) * lineHeight - top }}
          >
            {line}
          </span>
        );
      })}
    </div>
  );
}

interface LineMark {
  readonly severity: FindingView['severity'];
  readonly words: string;
}

/** An error is seen before a warning of the same line. */
function marksOf(findings: readonly FindingView[]): ReadonlyMap<number, LineMark> {
  const marks = new Map<number, LineMark>();
  for (const { line, severity, message } of findings) {
    const known = marks.get(line);
    marks.set(line, {
      severity: known?.severity === 'error' ? 'error' : severity,
      words: [...(known === undefined ? [] : [known.words]), visibleLine(message)].join('\n'),
    });
  }
  return marks;
}
