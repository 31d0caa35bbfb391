import { filePieceBytes } from '../../contract/file-methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ConfinedFiles, FileEntry } from '../../core/tools/confined-files.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Handlers } from '../dispatch.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { configInForce } from './agent-view.ts';
import { findAgent } from './find-agent.ts';

type WorkspaceMethods = Pick<Handlers, 'agents.files' | 'agents.file'>;

/** Entries per folder; longer lists are cut. */
const mostListed = 1_000;

const folderFirst = (a: FileEntry, b: FileEntry): number =>
  Number(b.kind === 'folder') - Number(a.kind === 'folder');

/**
 * Read access to an agent's workspace through the same path checks as its own tools, so nothing outside is
 * visible (T14).
 */
export interface WorkspaceHandlerDeps {
  readonly agents: AgentStore;
  readonly fleet: Pick<Fleet, 'sharedTools'>;
}

export function createWorkspaceHandlers({ agents, fleet }: WorkspaceHandlerDeps): WorkspaceMethods {
  const open = async (ref: string): Promise<Result<ConfinedFiles>> => {
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    const { folders } = await fleet.sharedTools();
    return ok(folders.workspace(found.value, configInForce(found.value)));
  };
  return {
    'agents.files': async ({ agent, path }) => {
      const files = await open(agent);
      if (!files.ok) return files;
      const listed = await files.value.list(path || '.', mostListed);
      if (!listed.ok) return listed;
      return ok({ entries: listed.value.entries.toSorted(folderFirst), more: listed.value.more });
    },
    'agents.file': async ({ agent, path, offset }) => {
      const files = await open(agent);
      if (!files.ok) return files;
      const read = await files.value.read(path, { offset, maxBytes: filePieceBytes });
      if (!read.ok) return read;
      const { bytes, size } = read.value;
      return ok({
        size,
        base64: Buffer.from(bytes).toString('base64'),
        done: bytes.length === 0 || offset + bytes.length >= size,
      });
    },
  };
}
