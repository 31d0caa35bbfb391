/** Who wrote what a task begins with: a person of this house, or somebody whose text is untrusted content (T9). */
import { isAboutFile } from './file-trigger.ts';
import type { Task } from './task.ts';

/** Goals that a person of this house wrote themselves; others may carry words of anybody, as names of files do. */
const ownWords: readonly Task['origin']['via'][] = ['cli', 'chat', 'ui', 'schedule'];

/** An agent or a file of another program wrote the goal: the agent that works on it reads it as such. */
export const isWrittenForAnother = ({ origin }: Pick<Task, 'origin'>): boolean =>
  origin.via === 'mcp' || origin.via === 'import';

export function carriesForeignWords({
  origin,
  key,
  parent,
}: Pick<Task, 'origin' | 'key' | 'parent'>): boolean {
  // The fork of what a schedule began has no key that tells of a file, and the goal with its name.
  const forked = parent !== null && origin.via === 'schedule';
  return !ownWords.includes(origin.via) || isAboutFile(key) || forked;
}
