/** Adds folders to those that an agent's tools may use, and removes them; agent.yml holds the list. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { rootPath } from '../approvals/agent-policy.ts';
import type { Handlers } from '../dispatch.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { configInForce } from './agent-view.ts';
import { findAgent } from './find-agent.ts';

type FolderMethods = Pick<Handlers, 'agents.addFolder' | 'agents.removeFolder'>;
type Bash = AgentConfig['bash'];

export interface FolderHandlerDeps {
  readonly agents: AgentStore;
  readonly fleet: Pick<Fleet, 'sharedTools' | 'apply'>;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The configured folders without `path`. */
function withoutFolder({ allowed_roots, writable_roots }: Bash, path: string, cwd: string) {
  const isOther = (named: string): boolean => rootPath(named, cwd) !== path;
  return { allowed_roots: allowed_roots.filter(isOther), writable_roots: writable_roots.filter(isOther) };
}

function withFolder(bash: Bash, path: string, mayWrite: boolean, cwd: string) {
  const { allowed_roots, writable_roots } = withoutFolder(bash, path, cwd);
  return mayWrite
    ? { allowed_roots, writable_roots: [...writable_roots, path] }
    : { allowed_roots: [...allowed_roots, path], writable_roots };
}

export function createFolderHandlers({ agents, fleet }: FolderHandlerDeps): FolderMethods {
  async function change(
    ref: string,
    next: (config: AgentConfig, cwd: string) => Result<Pick<Bash, 'allowed_roots' | 'writable_roots'>>,
    isKept: (paths: readonly string[]) => Result<unknown>,
  ): Promise<Result<Record<string, never>>> {
    const { folders } = await fleet.sharedTools();
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    const config = configInForce(found.value);
    const bash = next(config, folders.roots(found.value, config).cwd);
    if (!bash.ok) return bash;
    const listed = folders.list(found.value, { ...config, bash: { ...config.bash, ...bash.value } });
    const kept = isKept(listed.map(({ path }) => path));
    if (!kept.ok) return kept;
    const changed = agents.update(found.value.id, { bash: bash.value });
    if (!changed.ok) return changed;
    fleet.apply();
    return ok({});
  }
  return {
    'agents.addFolder': async ({ agent, path: named, mayWrite }) => {
      if (!isAbsolute(named) && !named.startsWith('~/')) {
        return err(fail('invalid_input', 'agents.folderPathNotWhole', {}, { where: 'path' }));
      }
      const path = rootPath(named, '/');
      if (!isFolder(path)) {
        return err(fail('not_found', 'agents.folderMissing', { path }, { where: 'path' }));
      }
      return change(
        agent,
        ({ bash }, cwd) => ok(withFolder(bash, path, mayWrite, cwd)),
        // The list leaves out folders that would open the data of Kennel.
        (paths) => (paths.includes(path) ? ok({}) : err(fail('forbidden', 'agents.folderOfKennel'))),
      );
    },
    'agents.removeFolder': ({ agent, path }) =>
      change(
        agent,
        ({ bash }, cwd) => ok(withoutFolder(bash, path, cwd)),
        () => ok({}),
      ),
  };
}
