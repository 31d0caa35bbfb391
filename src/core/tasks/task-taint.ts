/** Whose words a task begins with: those that a person of this house wrote, or words that may be anybody's (T9). */
import { isAboutFile } from './file-trigger.ts';
import type { Task } from './task.ts';

/** Goals that a person of this house wrote themselves; others may carry words of anybody, as names of files do. */
const ownWords: readonly Task['origin']['via'][] = ['cli', 'chat', 'ui', 'schedule'];

export function carriesForeignWords({
  origin,
  key,
  parent,
}: Pick<Task, 'origin' | 'key' | 'parent'>): boolean {
  // The fork of what a schedule began has no key that tells of a file, and the goal with its name.
  const forked = parent !== null && origin.via === 'schedule';
  return !ownWords.includes(origin.via) || isAboutFile(key) || forked;
}
