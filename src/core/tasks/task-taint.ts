/** Tells whether the goal of a task was written by the operator or contains untrusted content (T9). */
import { isAboutChange } from './file-trigger.ts';
import type { Task } from './task.ts';

/** Origins whose goals the operator wrote; others may contain untrusted text such as file names. */
const ownWords: readonly Task['origin']['via'][] = ['cli', 'chat', 'ui', 'schedule'];

/** The goal was written by an agent or another program, so its reader must treat it as untrusted. */
export const isWrittenForAnother = ({ origin }: Pick<Task, 'origin'>): boolean =>
  origin.via === 'mcp' || origin.via === 'import';

export function carriesForeignWords({
  origin,
  key,
  parent,
}: Pick<Task, 'origin' | 'key' | 'parent'>): boolean {
  // The fork of a scheduled task has no file key, but its goal may contain the file name.
  const forked = parent !== null && origin.via === 'schedule';
  return !ownWords.includes(origin.via) || isAboutChange(key) || forked;
}
