import { copy } from './copy.ts';

// A line on standard error while a command waits, only in a terminal. Standard output stays for results.

interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const frames = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
/** ms before the line appears, so that short calls do not flicker. */
const delayMs = 400;
const frameMs = 100;
/** ms after which the line counts seconds. */
const countAfterMs = 3_000;
const erase = '\r\u001B[K';

export interface ProgressLine {
  /** Shows the line until `work` settles. */
  during<T>(work: Promise<T>, label?: string): Promise<T>;
  /** Writes a line of text above the line. */
  note(text: string): void;
  /** Label of waits without one of their own or around them, for example `Backing up`; `null` shows no line, `undefined` the
   * usual one. */
  use(label: string | null | undefined): void;
}

export function createProgress(stream: ProgressStream, env: NodeJS.ProcessEnv = process.env): ProgressLine {
  let usual: string | null | undefined;
  /** Labels of the waits at work; the last one is shown. */
  const labels: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  let isShown = false;
  const isWatched = stream.isTTY === true && env.TERM !== 'dumb';

  const hide = (): void => {
    if (isShown) stream.write(erase);
    isShown = false;
  };
  const tick = (): void => {
    ticks += 1;
    const waited = ticks * frameMs;
    if (waited < delayMs) return;
    const seconds = waited >= countAfterMs ? ` ${Math.floor(waited / 1_000)} s` : '';
    stream.write(`${erase}${frames[ticks % frames.length]} ${labels.at(-1)}…${seconds}`);
    isShown = true;
  };
  const begin = (label: string): void => {
    labels.push(label);
    if (timer !== undefined) return;
    ticks = 0;
    timer = setInterval(tick, frameMs).unref();
  };
  const end = (label: string): void => {
    labels.splice(labels.lastIndexOf(label), 1);
    if (labels.length > 0) return;
    clearInterval(timer);
    timer = undefined;
    hide();
  };

  return {
    use(label) {
      usual = label;
    },
    note(text) {
      hide();
      stream.write(`${text}\n`);
    },
    async during(work, label) {
      if (!isWatched || usual === null) return work;
      const shown = label ?? labels.at(-1) ?? usual ?? copy('cliTerminal.waitingForKennel');
      begin(shown);
      try {
        return await work;
      } finally {
        end(shown);
      }
    },
  };
}

/** The progress line of this process. */
export const progress = createProgress(process.stderr);
