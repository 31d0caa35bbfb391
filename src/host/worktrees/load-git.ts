import { once } from '../../contract/once.ts';
import type { Clock } from '../../core/ports.ts';
import type { Git } from './git.ts';

/** Git in the sandbox of this system, if it has one. */
export async function loadSandboxedGit(clock: Clock): Promise<Git> {
  const [{ createGit }, { createProcessPort }, { findBubblewrap }] = await Promise.all([
    import('./git.ts'),
    import('../../services/executors/process.ts'),
    import('../../services/executors/bubblewrap.ts'),
  ]);
  const process = createProcessPort({ clock });
  return createGit({ process, sandbox: once(() => findBubblewrap({ process })) });
}
