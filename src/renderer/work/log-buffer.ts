/**
 * Log lines held by the page: a bounded number of live lines, and the live and older lines that match the
 * filter. Adding a burst costs time proportional to the burst, and the visible list changes only at its ends.
 */
import { type LogLevelName, type LogLine, type LogsView, logLevels } from '../../contract/work-methods.ts';

export interface LogFilter {
  readonly level: LogLevelName;
  /** Empty for all agents. */
  readonly agent: string;
  /** Empty for no text filter. */
  readonly text: string;
}

export const wholeLog: LogFilter = { level: 'debug', agent: '', text: '' };

/** Maximum of live lines; `cutLines` more are tolerated, so that cuts are rare. */
const keptLines = 50_000;
const cutLines = 10_000;

export const skippedEvent = 'lines_skipped';
const gapLine = (at: number): LogLine => ({
  id: '',
  at,
  level: 'warn',
  event: skippedEvent,
  agent: '',
  rest: '',
});

function fits({ level, agent, text }: LogFilter, line: LogLine): boolean {
  if (logLevels.indexOf(line.level) < logLevels.indexOf(level)) return false;
  if (agent !== '' && line.agent !== agent) return false;
  if (text === '') return true;
  return `${line.level} ${line.event} ${line.agent} ${line.rest}`.toLowerCase().includes(text.toLowerCase());
}

export class LogBuffer {
  #live: LogLine[] = [];
  #shown: LogLine[] = [];
  #filter: LogFilter = wholeLog;
  #seen = -1;
  #older = 0;
  /** Lines removed from the top of the visible list so far, minus the lines added there. */
  #shift = 0;

  get shown(): readonly LogLine[] {
    return this.#shown;
  }

  get shift(): number {
    return this.#shift;
  }

  /** Id from which older lines are fetched, or `null` if no line has one. */
  get oldest(): string | null {
    const found = this.#shown.find(({ id }) => id !== '') ?? this.#live.find(({ id }) => id !== '');
    return found?.id ?? null;
  }

  /** Adds the new batches; returns true if lines were removed at the top. */
  take({ batches }: LogsView): boolean {
    const numbers = Object.keys(batches)
      .map(Number)
      .sort((a, b) => a - b);
    const last = numbers.at(-1) ?? -1;
    // A restarted host numbers its batches from zero.
    if (last < this.#seen) this.#begin();
    const fresh = numbers.filter((batch) => batch > this.#seen);
    const [first] = fresh;
    for (const batch of fresh) {
      const lines = batches[batch] ?? [];
      const missed = batch === first && this.#seen >= 0 && batch > this.#seen + 1;
      this.#add(missed ? [gapLine(lines[0]?.at ?? 0), ...lines] : lines);
    }
    this.#seen = Math.max(this.#seen, last);
    return this.#cut();
  }

  filter(filter: LogFilter): void {
    this.#filter = filter;
    this.#shown = this.#live.filter((line) => fits(filter, line));
    this.#older = 0;
    this.#shift = 0;
  }

  /** Adds older matching lines, oldest first. */
  prepend(lines: readonly LogLine[]): void {
    this.#shown = [...lines, ...this.#shown];
    this.#older += lines.length;
    this.#shift -= lines.length;
  }

  #begin(): void {
    this.#seen = -1;
    this.#live = [];
    this.filter(this.#filter);
  }

  #add(lines: readonly LogLine[]): void {
    for (const line of lines) {
      this.#live.push(line);
      if (fits(this.#filter, line)) this.#shown.push(line);
    }
  }

  #cut(): boolean {
    if (this.#live.length < keptLines + cutLines) return false;
    const gone = this.#live.length - keptLines;
    const shownGone =
      this.#live.slice(0, gone).filter((line) => fits(this.#filter, line)).length + this.#older;
    this.#live = this.#live.slice(gone);
    this.#shown = this.#shown.slice(shownGone);
    this.#older = 0;
    this.#shift += shownGone;
    return true;
  }
}
