import type { DoctorCheck } from '../../contract/model.ts';
import { say } from '../../language/say.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';
import type { HostPorts } from '../host-ports.ts';
import { loginPath } from '../login-path.ts';

/** Optional programs that agents' commands and sandboxes use. */
const programs = ['git', 'rg', 'bwrap', 'docker', 'claude'];

/** Programs that are on the login shell's PATH but not on this process's. */
export async function checkPath(env: HostPorts['env']): Promise<DoctorCheck[]> {
  if (process.platform === 'win32') return [];
  const check = { id: 'path', title: say('doctor.programs') } as const;
  const own = env.PATH ?? '';
  const login = await loginPath(env);
  const found = programs.filter((name) => findProgram(name, pathFolders(own)) !== null);
  const list =
    found.length === 0 ? say('doctor.noPrograms') : say('doctor.found', { names: found.join(', ') });
  if (login === null) {
    return [{ ...check, status: 'ok', detail: say('doctor.shellSilent', { list }) }];
  }
  const missed = programs.filter(
    (name) => !found.includes(name) && findProgram(name, pathFolders(login)) !== null,
  );
  if (missed.length === 0) return [{ ...check, status: 'ok', detail: list }];
  return [
    {
      ...check,
      status: 'warn',
      detail: say('doctor.shellFindsMore', { list, names: missed.join(', ') }),
      hint: say('doctor.startWithPath', { path: login }),
    },
  ];
}
