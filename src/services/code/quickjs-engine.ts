/**
 * Runs code in worker threads, so that no code can hold up the host: a thread that computes past its limits is
 * terminated. One idle thread is kept for the next code, for a while.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../../core/ports.ts';
import type { CodeEnd, CodeEngine, CodeOutcome, CodeRequest } from '../../core/ptc/code-ports.ts';
import type { FromCodeThread, ToCodeThread } from './code-frames.ts';

/** ms past `sliceMs` until a thread that does not respond is terminated. */
const graceMs = 3_000;
/** ms that an idle thread is kept. */
const idleMs = 60_000;

/** In the bundles beside the chunk or one folder up; in a checkout as source. */
function threadFile(): URL {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [
    join(here, 'code-thread.js'),
    join(here, '..', 'code-thread.js'),
    join(here, 'code-thread.ts'),
  ];
  return pathToFileURL(places.find((place) => existsSync(place)) ?? join(here, 'code-thread.js'));
}

const failed = (end: CodeEnd, error: string): CodeOutcome => ({
  end,
  error,
  returned: null,
  printed: '',
  cutCharacters: 0,
  computeMs: 0,
});

/** One code in a thread. `isUsable`: the thread can run another code afterwards. */
class ThreadRun {
  readonly #worker: Worker;
  readonly #request: CodeRequest;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #timer: Timer | null = null;
  #isOver = false;
  #answers = 0;
  #limit: () => void = () => undefined;

  constructor(
    worker: Worker,
    request: CodeRequest,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ) {
    this.#worker = worker;
    this.#request = request;
    this.#clock = clock;
    this.#signal = signal;
  }

  run(): Promise<{ readonly outcome: CodeOutcome; readonly isUsable: boolean }> {
    return new Promise((resolve) => {
      const end = (outcome: CodeOutcome, isUsable: boolean): void => {
        if (this.#isOver) return;
        this.#isOver = true;
        this.#timer?.cancel();
        this.#signal.removeEventListener('abort', aborted);
        this.#worker.removeAllListeners();
        resolve({ outcome, isUsable });
      };
      const aborted = (): void => end(failed('aborted', 'The run was aborted.'), false);
      this.#signal.addEventListener('abort', aborted, { once: true });
      this.#worker.on('message', (frame: FromCodeThread) => {
        if (frame.type === 'end') end(frame.outcome, frame.outcome.end !== 'memory');
        else if (frame.type === 'started') this.#watch();
        else if (frame.type === 'waits') {
          // With an answer still on its way, the thread computes again.
          if (frame.answers === this.#answers) this.#timer?.cancel();
        } else void this.#answer(frame);
      });
      this.#worker.on('error', (error) =>
        end(failed('memory', `The interpreter failed: ${error.message}`), false),
      );
      this.#worker.on('exit', () => end(failed('memory', 'The interpreter ended.'), false));
      const { code, functions, limits } = this.#request;
      this.#limit = () => end(failed('timeout', 'The code computed for too long and did not stop.'), false);
      this.#worker.postMessage({ type: 'run', code, functions, limits } satisfies ToCodeThread);
      if (this.#signal.aborted) aborted();
    });
  }

  /** The thread computes from now on. */
  #watch(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(this.#request.limits.sliceMs + graceMs, this.#limit);
  }

  async #answer({ call, tool, args }: Extract<FromCodeThread, { type: 'call' }>): Promise<void> {
    const answer = await this.#request.call(tool, args, this.#signal);
    if (this.#isOver) return;
    this.#answers += 1;
    this.#watch();
    this.#worker.postMessage({ type: 'answer', call, answer } satisfies ToCodeThread);
  }
}

export function createQuickJsEngine(clock: Clock): CodeEngine & { close(): Promise<void> } {
  let idle: { readonly worker: Worker; readonly timer: Timer } | null = null;
  const take = (): Worker => {
    const kept = idle;
    idle = null;
    kept?.timer.cancel();
    if (kept) {
      kept.worker.ref();
      return kept.worker;
    }
    // An own environment: nothing of the host's is readable in the thread.
    return new Worker(threadFile(), { env: {}, name: 'code' });
  };
  const drop = async (): Promise<void> => {
    const kept = idle;
    idle = null;
    kept?.timer.cancel();
    await kept?.worker.terminate();
  };
  const keep = (worker: Worker): void => {
    if (idle) {
      void worker.terminate();
      return;
    }
    worker.unref();
    worker.once('error', () => void drop());
    worker.once('exit', () => void drop());
    idle = { worker, timer: clock.after(idleMs, () => void drop()) };
  };
  return {
    async run(request, signal) {
      const worker = take();
      worker.removeAllListeners();
      const { outcome, isUsable } = await new ThreadRun(worker, request, { clock, signal }).run();
      if (isUsable) keep(worker);
      else void worker.terminate();
      return outcome;
    },
    close: drop,
  };
}
