/**
 * V8's inspector loses the result of an evaluation that is garbage collected before the main process has run
 * its microtasks. Each function therefore runs exactly once, from a timer, and its result stays referenced:
 * reading a lost result is repeated, the function is not.
 */
import type { ElectronApplication } from '@playwright/test';

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
  results[id] ??= new Promise((resolve, reject) => {
    setTimeout(() => Promise.resolve().then(call).then(resolve, reject), 0);
  });
  return results[id];
}

export function keepResults(app: ElectronApplication): ElectronApplication {
  const evaluate = app.evaluate.bind(app) as (run: typeof runOnce, arg: Run) => Promise<unknown>;
  let count = 0;
  app.evaluate = async (pageFunction: unknown, arg?: unknown): Promise<never> => {
    count += 1;
    const run = { id: count, source: String(pageFunction), arg };
    for (;;) {
      try {
        return (await evaluate(runOnce, run)) as never;
      } catch (error) {
        if (!String(error).includes('promise was garbage collected')) throw error;
      }
    }
  };
  return app;
}
