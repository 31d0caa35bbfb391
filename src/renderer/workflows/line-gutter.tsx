import { useEffect, useRef, useState } from 'react';
import type { FindingView } from '../../contract/workflow-methods.ts';
import { localize } from '../../language/texts.ts';
import { visibleLine } from '../words/visible-text.ts';

/** Heights in px, the same as in the style sheet. */
export const lineHeight = 20;
const padding = 10;

interface GutterOf {
  readonly lines: number;
  /** Scroll position of the text in px. */
  readonly top: number;
  readonly findings: readonly FindingView[];
}

/** Numbers of the visible lines with markers of findings; the findings list is the accessible form. */
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

/** An error takes precedence over a warning on the same line. */
function marksOf(findings: readonly FindingView[]): ReadonlyMap<number, LineMark> {
  const marks = new Map<number, LineMark>();
  for (const { line, severity, message } of findings) {
    const known = marks.get(line);
    marks.set(line, {
      severity: known?.severity === 'error' ? 'error' : severity,
      words: [...(known === undefined ? [] : [known.words]), visibleLine(localize(message))].join('\n'),
    });
  }
  return marks;
}
