/** Tools of the host that an agent's program may call. */
import type { Tool } from '../../tools/tool.ts';

/** Groups that programs have no tools of their own for. */
const groups: ReadonlySet<Tool['group']> = new Set(['puffo', 'memory', 'puppy']);

export const isOffered = ({ group }: Tool): boolean => groups.has(group);
