import { cliMessage } from '../../language/cli-message.ts';
import { examineWorkflow } from '../../library/puppy/examine.ts';
import { copy, shown } from '../copy.ts';
import { jsonText } from '../json-text.ts';
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
  const checks = await examineWorkflow(
    process.env,
    host && cliMessage('cliPuppy.inRunningKennel', { place: host.place }),
  );
  const healthy = checks.every(({ ok }) => ok);
  if (flags.json) process.stdout.write(`${jsonText({ ok: healthy, version, checks }, 2)}\n`);
  else {
    const lines = checks.map(
      ({ ok, name, said }) =>
        `${copy(ok ? 'cliPuppy.healthy' : 'cliPuppy.unhealthy').padEnd(5)} ${shown(name)}: ${shown(said)}`,
    );
    process.stdout.write(printable(`${lines.join('\n')}\n`));
  }
  return healthy ? 0 : 1;
}
