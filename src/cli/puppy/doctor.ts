import { examineWorkflow } from '../../library/puppy/examine.ts';
import { copy } from '../copy.ts';
import { printable } from '../visible-text.ts';
import type { BackendFlags } from './arguments.ts';
import { runningHost } from './open-backend.ts';

// `puppy doctor`: checks the prerequisites of runs by running one step in a temporary folder.

export async function runWorkflowDoctor(
  _args: readonly string[],
  flags: BackendFlags,
  version: string,
): Promise<number> {
  const host = await runningHost(flags);
  host?.close();
  const checks = await examineWorkflow(process.env, host && `${host.place}, in the running Kennel`);
  const healthy = checks.every(({ ok }) => ok);
  if (flags.json) process.stdout.write(`${JSON.stringify({ ok: healthy, version, checks }, null, 2)}\n`);
  else {
    const lines = checks.map(
      ({ ok, name, said }) =>
        `${copy(ok ? 'cliPuppy.healthy' : 'cliPuppy.unhealthy').padEnd(5)} ${name}: ${said}`,
    );
    process.stdout.write(printable(`${lines.join('\n')}\n`));
  }
  return healthy ? 0 : 1;
}
