/**
 * V8's inspector loses the result of an evaluation that is garbage collected before the main process has run
 * its microtasks. Each function therefore runs exactly once, and its result stays referenced: reading a lost
 * result is repeated, the function is not. Each reading ends in a timer, because an idle main process runs no
 * microtasks.
 */
import type { ElectronApplication } from '@playwright/test';
import { answered } from '../desktop.ts';

interface Run {
  readonly id: number;
  readonly source: string;
  readonly arg: unknown;
}

/** Runs in the main process. */
function runOnce(electron: unknown, { id, source, arg }: Run): unknown {
  const results: Record<number, Promise<unknown>> = Reflect.get(globalThis, 'testResults') ?? {};
  Reflect.set(globalThis, 'testResults', results);
  // biome-ignore lint/security/noGlobalEval: the function comes from the test, as Playwright's own evaluation does
  const call = () => globalThis.eval(`(${source})`)(electron, arg);
  return new Promise((resolve) => {
    setTimeout(() => {
      results[id] ??= Promise.resolve().then(call);
      resolve(results[id]);
    }, 0);
  });
}

export function keepResults(app: ElectronApplication): ElectronApplication {
  const evaluate = app.evaluate.bind(app) as (run: typeof runOnce, arg: Run) => Promise<unknown>;
  let count = 0;
  app.evaluate = async (pageFunction: unknown, arg?: unknown): Promise<never> => {
    count += 1;
    const run = { id: count, source: String(pageFunction), arg };
    for (;;) {
      try {
        return (await answered(run.source, evaluate(runOnce, run))) as never;
      } catch (error) {
        if (!String(error).includes('promise was garbage collected')) throw error;
      }
    }
  };
  return app;
}
