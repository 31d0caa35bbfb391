import type { Result } from '../../contract/result.ts';
import { englishText } from '../../language/host-message.ts';
import type { RenderText } from '../../library/puppy/run-formats.ts';
import { openStandalone, type RunCommands } from '../../library/puppy/standalone.ts';
import { shown } from '../copy.ts';
import { CommandFailure } from '../terminal.ts';
import type { BackendFlags } from './arguments.ts';

// Storage of runs: the folder of PUPPY_STATE_DIR, the running host, or this command's own folder.

/** The value, or the end of the command with the error. */
export function valueOrFail<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new CommandFailure(result.error);
}

/** Programs read English. */
const renderFor = ({ json }: BackendFlags): RenderText => (json === true ? englishText : shown);

function openFolder(flags: BackendFlags, maxPipelineOutput: number | undefined): RunCommands {
  const opened = openStandalone({
    root: process.cwd(),
    env: process.env,
    render: renderFor(flags),
    ...(maxPipelineOutput === undefined ? {} : { maxPipelineOutput }),
  });
  if (!opened.ok) throw new CommandFailure(opened.error, 1);
  return opened.value;
}

/**
 * `null` with PUPPY_STATE_DIR or `--standalone`, which never use the host; the approver's name in the
 * environment counts only there.
 */
export async function runningHost(flags: BackendFlags): Promise<RunCommands | null> {
  if (process.env.PUPPY_STATE_DIR || flags.standalone) return null;
  return (await import('./host-backend.ts')).hostBackend(renderFor(flags));
}

export async function withBackend<T>(
  flags: BackendFlags,
  work: (backend: RunCommands) => Promise<T>,
  maxPipelineOutput?: number,
): Promise<T> {
  const backend = (await runningHost(flags)) ?? openFolder(flags, maxPipelineOutput);
  try {
    return await work(backend);
  } finally {
    backend.close();
  }
}
