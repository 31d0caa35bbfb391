/** Chat commands of the operator: `/task GOAL` starts a task, `/tasks` lists them. */
import { leadingSlugs, readSlash } from '../../contract/chat-commands.ts';

export type TaskCommand = { readonly type: 'task'; readonly goal: string } | { readonly type: 'tasks' };

/** Ignores mentions at the start, which only name the agents. `null` if the text is no such command. */
export function taskCommand(text: string): TaskCommand | null {
  const said = readSlash(text);
  if (said?.word === 'tasks' && said.rest === '') return { type: 'tasks' };
  return said?.word === 'task' ? { type: 'task', goal: said.rest.trim() } : null;
}

/** True if the text starts with a mention, also of an unknown name. */
export const startsWithMention = (text: string): boolean => leadingSlugs(text).length > 0;

/** In a channel, a command applies to the agents mentioned at its start. */
export const isSaidTo = (slug: string, text: string): boolean => leadingSlugs(text).includes(slug);
