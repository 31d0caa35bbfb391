import { homedir } from 'node:os';
import type { HarnessView } from '../../contract/harnesses.ts';
import { ok } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { Handlers } from '../dispatch.ts';
import type { HostPorts } from '../host-ports.ts';
import { loginPath } from '../login-path.ts';

export interface HarnessDeps {
  readonly env: HostPorts['env'];
  readonly clock: Clock;
}

/** The command line agents of this computer; what it needs is loaded on demand. */
async function findHarnesses({ env, clock }: HarnessDeps): Promise<readonly HarnessView[]> {
  const [{ createProcessPort }, { detectHarnesses }, path] = await Promise.all([
    import('../../services/executors/process.ts'),
    import('../../services/harnesses/detect-harnesses.ts'),
    loginPath(env),
  ]);
  return detectHarnesses({
    process: createProcessPort({ clock }),
    path: path ?? env.PATH ?? '',
    env,
    userHome: env.HOME ?? homedir(),
    platform: process.platform,
  });
}

export const createHarnessHandlers = (deps: HarnessDeps): Pick<Handlers, 'harnesses.list'> => ({
  'harnesses.list': async () => ok({ harnesses: [...(await findHarnesses(deps))] }),
});
