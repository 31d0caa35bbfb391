import { isAbsolute, resolve } from 'node:path';
import { type AppError, appError } from '../../contract/errors.ts';
import { isBelow } from '../../core/policy/paths.ts';
import { configInForce } from '../agents/agent-view.ts';
import { realPath } from '../approvals/agent-policy.ts';
import type { HostContext } from '../context.ts';
import { toolRoots } from '../fleet/agent-kit.ts';

type Parts = Pick<HostContext, 'agents' | 'settings' | 'ports' | 'layout'>;

/**
 * What starts by itself runs with the operator's rights and nobody looks at it first: a file that an agent can write is
 * no such thing (T9). Null: no agent's tools reach it.
 */
export function inAgentHands({ agents, settings, ports, layout }: Parts, file: string): AppError | null {
  const place = realPath(isAbsolute(file) ? file : resolve(layout.workflows, file));
  const workingDir = (): string => settings.config().limits.working_dir;
  const holder = agents.list().find((agent) => {
    const { writable } = toolRoots({ ports, workingDir }, agent, configInForce(agent));
    return writable.some((root) => isBelow(realPath(root), place));
  });
  if (!holder) return null;
  const name = configInForce(holder).display_name || holder.id;
  return appError('forbidden', `${name} can change this file, and nobody would look at it before it runs.`, {
    hint: 'Save it into your folder of workflows, or start it by hand.',
    where: file,
  });
}
