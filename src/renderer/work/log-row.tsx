import { memo } from 'react';
import type { LogLine } from '../../contract/work-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { gapWords, lineTime } from './log-text.ts';

interface RowOf {
  readonly id: string;
  readonly line: LogLine;
  readonly at: number;
  readonly count: number;
  readonly selected: boolean;
  onSelect(line: LogLine): void;
  onPause(): void;
}

/** Longer lines are truncated; the selected line is shown in full below the list. */
const shownLength = 400;

/** One line: time, level, agent, event and the remaining fields. */
export const LogRow = memo(function LogRow({ id, line, at, count, selected, onSelect, onPause }: RowOf) {
  const gap = gapWords(line);
  return (
    // The list has the focus and moves the choice with the arrow keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-posinset={at + 1}
      aria-setsize={count}
      className={`log-row is-${line.level}`}
      onClick={() => {
        onPause();
        onSelect(line);
      }}
    >
      <span className="log-time">{lineTime(line.at)}</span>
      <span className="log-level">{t(`log.short_${line.level}`)}</span>
      {gap === null ? (
        <>
          <span className="log-event">{visibleLine(line.event)}</span>
          {line.agent !== '' && <span className="log-agent">{visibleLine(line.agent)}</span>}
          <span className="log-rest">{visibleLine(line.rest.slice(0, shownLength))}</span>
        </>
      ) : (
        <span className="log-rest">{gap}</span>
      )}
    </div>
  );
});
