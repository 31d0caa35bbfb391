/**
 * Finds lines in texts: plain terms here, regular expressions in a worker thread, because a bad one can run
 * forever. It promises a result or a `timeout` at the deadline, and to end its thread (T25).
 */
import { Worker } from 'node:worker_threads';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';

export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export interface LineMatcher {
  find(text: string, limit: number): Promise<Result<readonly FoundLine[]>>;
  close(): void;
}

const maxLineChars = 300;
const maxPattern = 500;

function clip(text: string): string {
  return text.length > maxLineChars ? `${text.slice(0, maxLineChars)}…` : text;
}

export function matchWords(words: string, ignoreCase: boolean): LineMatcher {
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const wanted = fold(words);
  return {
    async find(text, limit) {
      if (!fold(text).includes(wanted)) return ok([]);
      const lines = text
        .split('\n')
        .flatMap((line, index) =>
          fold(line).includes(wanted) ? [{ line: index + 1, text: clip(line) }] : [],
        );
      return ok(lines.slice(0, limit));
    },
    close: () => undefined,
  };
}

// Plain JavaScript in a string, because the bundle has no second file for the thread.
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ text, limit }) => {
  const found = [];
  const lines = text.split('\\n');
  for (let i = 0; i < lines.length && found.length < limit; i += 1)
    if (pattern.test(lines[i])) found.push({ line: i + 1, text: lines[i] });
  parentPort.postMessage(found);
});
`;

function badPattern(source: string, flags: string): string | null {
  if (source.length > maxPattern) return `It is longer than ${maxPattern} characters.`;
  try {
    new RegExp(source, flags);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'It does not parse.';
  }
}

class Expression implements LineMatcher {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;

  constructor(source: string, flags: string, signal: AbortSignal) {
    this.#signal = signal;
    const limits = { maxOldGenerationSizeMb: 128 };
    this.#worker = new Worker(threadSource, {
      eval: true,
      workerData: { source, flags },
      resourceLimits: limits,
      env: {},
    });
    // `find` sees a failure as the end of the thread.
    this.#worker.on('error', () => undefined);
    this.#worker.unref();
  }

  find(text: string, limit: number): Promise<Result<readonly FoundLine[]>> {
    const worker = this.#worker;
    const signal = this.#signal;
    return new Promise((resolve) => {
      const end = (result: Result<readonly FoundLine[]>): void => {
        worker.off('message', onFound);
        worker.off('exit', onEnd);
        signal.removeEventListener('abort', onEnd);
        resolve(result);
      };
      const onFound = (found: readonly FoundLine[]): void =>
        end(ok(found.map((one) => ({ line: one.line, text: clip(one.text) }))));
      const onEnd = (): void => {
        this.close();
        end(err(tooSlow));
      };
      if (signal.aborted) return onEnd();
      worker.on('message', onFound);
      worker.on('exit', onEnd);
      signal.addEventListener('abort', onEnd);
      worker.postMessage({ text, limit });
    });
  }

  close(): void {
    void this.#worker.terminate();
  }
}

const tooSlow = fail('timeout', 'tools.searchTookTooLong', {}, { help: 'tools.useSimplerSearch' });

/** `signal` aborts at the deadline. */
export function matchExpression(
  source: string,
  ignoreCase: boolean,
  signal: AbortSignal,
): Result<LineMatcher> {
  const flags = ignoreCase ? 'iu' : 'u';
  const bad = badPattern(source, flags);
  if (bad !== null) return err(fail('invalid_input', 'tools.invalidRegex', { bad }));
  return ok(new Expression(source, flags, signal));
}
