import { openStandalone } from '../../library/puppy/standalone.ts';
import { CommandFailure } from '../terminal.ts';
import type { Backend } from './backend.ts';
import type { PuppyArguments } from './words.ts';

// Storage of runs: the folder of PUPPY_STATE_DIR, the running host, or this command's own folder.

function standaloneBackend(maxPipelineOutput: number | undefined): Backend {
  const { env } = process;
  const opened = openStandalone({
    root: process.cwd(),
    env,
    ...(maxPipelineOutput === undefined ? {} : { maxPipelineOutput }),
  });
  if (!opened.ok) throw new CommandFailure(opened.error, 1);
  const alone = opened.value;
  const must = <T>(result: { ok: true; value: T } | { ok: false; error: CommandFailure['error'] }): T => {
    if (result.ok) return result.value;
    throw new CommandFailure(result.error);
  };
  return {
    place: alone.stateDir,
    run: alone.run,
    answer: alone.answer,
    goOn: alone.goOn,
    cancel: alone.cancel,
    retry: alone.retry,
    again: alone.again,
    places: async (run, from) => must(await alone.places(run, from)),
    list: alone.list,
    show: async (run) => must(await alone.show(run)),
    step: async (run, path) => must(await alone.step(run, path)),
    log: async (run) => must(await alone.log(run)),
    export: async (run, path) => must(await alone.export(run, path)),
    all: async () => alone.all(),
    close: alone.close,
  };
}

/**
 * `null` with PUPPY_STATE_DIR or `--standalone`, which never use the host; the approver's name in the
 * environment counts only there.
 */
export async function runningHost(words: PuppyArguments): Promise<Backend | null> {
  if (process.env.PUPPY_STATE_DIR || words.has('standalone')) return null;
  return (await import('./host-backend.ts')).hostBackend();
}

/** `standalone` uses the own folder even if a host runs. */
export const backendFlags = { standalone: 'switch', json: 'switch' } as const;

export async function withBackend<T>(
  words: PuppyArguments,
  work: (backend: Backend) => Promise<T>,
  maxPipelineOutput?: number,
): Promise<T> {
  const backend = (await runningHost(words)) ?? standaloneBackend(maxPipelineOutput);
  try {
    return await work(backend);
  } finally {
    backend.close();
  }
}
