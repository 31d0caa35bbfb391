/**
 * The lines of the log that the page holds: a bounded number of live ones, and of these and older ones those that fit the
 * filter. Taking in a burst costs what the burst holds; what is shown is only ever changed at its ends.
 */
import { type LogLevelName, type LogLine, type LogsView, logLevels } from '../../contract/work-methods.ts';

export interface LogFilter {
  readonly level: LogLevelName;
  /** Empty: of everybody. */
  readonly agent: string;
  /** Empty: any. */
  readonly text: string;
}

export const wholeLog: LogFilter = { level: 'debug', agent: '', text: '' };

/** Live lines; a little more, so that they are cut seldom. */
const keptLines = 50_000;
const cutLines = 10_000;

export const skippedEvent = 'lines_skipped';
const gapLine = (at: number): LogLine => ({
  ...{ id: '', at, level: 'warn', event: skippedEvent, agent: '', rest: '' },
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
  /** How many lines ever went from the top of what is shown, less those that came in there. */
  #shift = 0;

  get shown(): readonly LogLine[] {
    return this.#shown;
  }

  get shift(): number {
    return this.#shift;
  }

  /** Where to look for what is older than all that is shown. */
  get oldest(): string | null {
    const found = this.#shown.find(({ id }) => id !== '') ?? this.#live.find(({ id }) => id !== '');
    return found?.id ?? null;
  }

  /** The batches that are new; true when something was cut off at the top. */
  take({ batches }: LogsView): boolean {
    const numbers = Object.keys(batches)
      .map(Number)
      .sort((a, b) => a - b);
    const last = numbers.at(-1) ?? -1;
    // A host that was started anew counts from the beginning.
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

  /** Older lines that fit, oldest first. */
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
