import { resolve } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { onlyPlans } from '../../core/agents/permission-mode.ts';
import type { FileRoots } from '../../core/policy/assessment.ts';
import type { Clock } from '../../core/ports.ts';
import type { SandboxPort } from '../../core/tools/process-ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import {
  createLinkedFilesCheck,
  type LinkedFiles,
  type LinkedFilesCheck,
  nameSome,
} from '../../services/tools/shell/linked-files.ts';
import { withNotesReadOnly } from '../../services/tools/shell/notes-guard.ts';

export interface ProgramFoldersDeps {
  /** `null` if this system has no working sandbox. */
  readonly sandbox: () => Promise<SandboxPort | null>;
  readonly clock: Clock;
}

interface AgentNow {
  readonly agent: Pick<LoadedAgent, 'folder'>;
  readonly config: Pick<AgentConfig, 'memory_dir' | 'shell'> & Parameters<typeof onlyPlans>[0];
  readonly roots: FileRoots;
  /** Proper name of the program. */
  readonly title: string;
}

export type WalledFolders = Pick<FileRoots, 'readable' | 'writable'>;

/**
 * The agent's folders as the wall of a program shows them, like the sandbox of the shell: notes are read-only,
 * because only the note tools record who wrote them (T9), and no file has another name outside (T14). An agent that
 * only plans writes none of them: not every program asks before it writes.
 */
export function createProgramFolders({ sandbox: findSandbox, clock }: ProgramFoldersDeps) {
  let check: LinkedFilesCheck | null = null;
  return async ({
    agent,
    config,
    roots: { readable, writable },
    title,
  }: AgentNow): Promise<Result<WalledFolders>> => {
    const notes = resolve(agent.folder, config.memory_dir);
    const isReader = onlyPlans(config);
    const roots = isReader ? { readable: [...readable, ...writable], writable: [] } : { readable, writable };
    const view = withNotesReadOnly({ ...roots, network: false }, notes);
    if (view === null)
      return err(fail('forbidden', 'agents.programWritesNotes', { title }, { help: 'agents.setMemoryDir' }));
    if (config.shell.linked_files) return ok(view);
    const sandbox = await findSandbox();
    check ??= sandbox && createLinkedFilesCheck({ sandbox, clock });
    const found = check ? await check(view, new AbortController().signal) : null;
    return found === null ? ok(view) : err(sharedFiles(found, title));
  };
}

function sharedFiles(found: LinkedFiles, title: string) {
  const help = { help: 'agents.allowLinkedFiles' } as const;
  return found.kind === 'found'
    ? fail('forbidden', 'agents.programSharesFiles', { title, files: nameSome(found.paths) }, help)
    : fail('forbidden', 'agents.programFoldersUnsearched', { title, why: found.reason }, help);
}
