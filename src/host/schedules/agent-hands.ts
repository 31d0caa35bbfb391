import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type AppError, appError } from '../../contract/errors.ts';
import { isBelow } from '../../core/policy/paths.ts';
import { followLinks } from '../../platform/follow-links.ts';
import { configInForce } from '../agents/agent-view.ts';
import { realPath } from '../approvals/agent-policy.ts';
import type { HostContext } from '../context.ts';
import { toolRoots } from '../fleet/agent-kit.ts';
import { loadFile } from '../workflows/load-source.ts';

type Parts = Pick<HostContext, 'agents' | 'settings' | 'ports' | 'layout'>;

/**
 * Every name that leads to what lies at an absolute path, each by the real folder it stands in: the file itself, and the links on
 * the way, because whoever can change one of them decides what the path means. Null: the links lead in a circle.
 */
function namesOnTheWay(path: string): readonly string[] | null {
  const followed = followLinks(path);
  if (followed === null) return null;
  // By the letters that the disk has, where it tells none apart.
  const links = followed.links.map((name) => join(realPath(dirname(name)), basename(name)));
  return [...links, realPath(followed.end)];
}

function holderOf({ agents, settings, ports, layout }: Parts, file: string): string | null {
  const places = namesOnTheWay(isAbsolute(file) ? resolve(file) : resolve(layout.workflows, file)) ?? [file];
  const workingDir = (): string => settings.config().limits.working_dir;
  const holder = agents.list().find((agent) => {
    const { writable } = toolRoots({ ports, workingDir }, agent, configInForce(agent));
    return writable.some((root) => places.some((place) => isBelow(realPath(root), place)));
  });
  return holder ? configInForce(holder).display_name || holder.id : null;
}

/**
 * What starts by itself runs with the operator's rights and nobody looks at it first: a file that an agent can write is
 * no such thing (T9). Null: no agent's tools reach it.
 */
export function inAgentHands(parts: Parts, file: string): AppError | null {
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

/** The same for a file and for all that it starts. A file that cannot be read now is told of by its start. */
export async function heldByAgents(
  context: Parts & Pick<HostContext, 'workflows'>,
  file: string,
): Promise<AppError | null> {
  const held = inAgentHands(context, file);
  if (held) return held;
  const { read } = await context.workflows.files();
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
