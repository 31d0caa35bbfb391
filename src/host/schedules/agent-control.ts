import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type AppError, appError } from '../../contract/errors.ts';
import { isBelow } from '../../core/policy/paths.ts';
import { followLinks } from '../../platform/follow-links.ts';
import { configInForce } from '../agents/agent-view.ts';
import { realPath } from '../approvals/agent-policy.ts';
import type { HostContext } from '../context.ts';
import { toolRoots } from '../fleet/agent-folders.ts';
import { loadFile } from '../workflows/load-source.ts';

type Parts = Pick<HostContext, 'agents' | 'settings' | 'ports' | 'layout'>;

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

function holderOf({ agents, settings, ports, layout }: Parts, file: string): string | null {
  const places = namesOnTheWay(isAbsolute(file) ? resolve(file) : resolve(layout.workflows, file)) ?? [file];
  const workingDir = (): string => settings.config().limits.working_dir;
  const holder = agents.list().find((agent) => {
    const { writable } = toolRoots(
      { home: ports.home, env: ports.env, workingDir },
      agent,
      configInForce(agent),
    );
    return writable.some((root) => places.some((place) => isBelow(realPath(root), place)));
  });
  return holder ? configInForce(holder).display_name || holder.id : null;
}

/**
 * A scheduled workflow runs with the operator's rights and without review, so it must not be a file that an
 * agent can write (T9). `null` if no agent can.
 */
export function findAgentControl(parts: Parts, file: string): AppError | null {
  const holder = holderOf(parts, file);
  if (holder === null) return null;
  return appError(
    'forbidden',
    `${holder} can change this file, and nobody would look at it before it runs.`,
    {
      hint: 'Save it into your folder of workflows, or start it by hand.',
      where: file,
    },
  );
}

/** The same check for a file and everything that it starts. The start reports an unreadable file. */
export async function isControlledByAgents(
  context: Parts & Pick<HostContext, 'workflowFiles'>,
  file: string,
): Promise<AppError | null> {
  const held = findAgentControl(context, file);
  if (held) return held;
  const { read } = await context.workflowFiles();
  const loaded = await loadFile(file, read);
  for (const path of loaded.ok ? loaded.value.starts : []) {
    const holder = holderOf(context, path);
    if (holder === null) continue;
    const message = `${holder} can change ${path}, which this workflow starts, and nobody would look at it before it runs.`;
    return appError('forbidden', message, {
      hint: 'Save it into your folder of workflows, or start it by hand.',
      where: file,
    });
  }
  return null;
}
