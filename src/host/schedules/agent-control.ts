import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type AppError, appError } from '../../contract/errors.ts';
import { isInside } from '../../core/policy/paths.ts';
import type { HostMessage } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { followLinks } from '../../platform/follow-links.ts';
import { realPath } from '../../platform/real-path.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce, nameOfAgent } from '../agents/agent-view.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';
import { loadFile } from '../workflows/load-source.ts';

export interface AgentControlDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly folders: Pick<AgentFolders, 'roots'>;
  /** The folder of workflows, for files that are named without one. */
  readonly workflowFolder: string;
  /** The workflow files of this host. */
  files(): Promise<{ readonly read: ReadSource }>;
}

type ReadSource = Parameters<typeof loadFile>[1];

/**
 * Every path that determines the file at an absolute path: the file itself and each symbolic link on the way,
 * with real parent folders, because changing any of them changes the file's meaning. `null` if the links form
 * a cycle.
 */
function namesOnTheWay(path: string): readonly string[] | null {
  const followed = followLinks(path);
  if (followed === null) return null;
  // Uses the spelling on disk, for case-insensitive file systems.
  const links = followed.links.map((name) => join(realPath(dirname(name)), basename(name)));
  return [...links, realPath(followed.end)];
}

function holderOf({ agents, folders, workflowFolder }: AgentControlDeps, file: string): string | null {
  const places = namesOnTheWay(isAbsolute(file) ? resolve(file) : resolve(workflowFolder, file)) ?? [file];
  const holder = agents.list().find((agent) => {
    const { writable } = folders.roots(agent, configInForce(agent));
    return writable.some((root) => places.some((place) => isInside(realPath(root), place)));
  });
  return holder ? nameOfAgent(holder) : null;
}

const forbidden = (file: string, message: HostMessage): AppError =>
  appError('forbidden', message, {
    hint: say('schedules.saveToWorkflowFolder'),
    where: file,
  });

/**
 * A scheduled workflow runs with the operator's rights and without review, so it must not be a file that an
 * agent can write (T9). `null` if no agent can.
 */
export function findAgentControl(deps: AgentControlDeps, file: string): AppError | null {
  const holder = holderOf(deps, file);
  if (holder === null) return null;
  return forbidden(file, say('schedules.fileAgentWritable', { who: holder }));
}

/** The same check for a file and everything that it starts. The start reports an unreadable file. */
export async function isControlledByAgents(deps: AgentControlDeps, file: string): Promise<AppError | null> {
  const held = findAgentControl(deps, file);
  if (held) return held;
  const { read } = await deps.files();
  const loaded = await loadFile(file, read);
  for (const path of loaded.ok ? loaded.value.starts : []) {
    const holder = holderOf(deps, path);
    if (holder === null) continue;
    const message = say('schedules.startedFileAgentWritable', { who: holder, path });
    return forbidden(file, message);
  }
  return null;
}
