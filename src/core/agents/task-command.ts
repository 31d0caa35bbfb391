/** Chat commands of the operator: `/task GOAL` starts a task, `/tasks` lists them. */

export type TaskCommand = { readonly type: 'task'; readonly goal: string } | { readonly type: 'tasks' };

const mentions = /^(?:[\s,:]|@[A-Za-z0-9][A-Za-z0-9_-]*)+/;

/** The text without the mentions at its start, which only name the agents. */
export const withoutMentions = (text: string): string => text.replace(mentions, '');

/** Ignores mentions at the start, which only name the agents. `null` if the text is no such command. */
export function taskCommand(text: string): TaskCommand | null {
  const said = withoutMentions(text).trim();
  if (/^\/tasks$/i.test(said)) return { type: 'tasks' };
  const goal = /^\/task(?:\s+([\s\S]*))?$/i.exec(said);
  return goal ? { type: 'task', goal: (goal[1] ?? '').trim() } : null;
}

/** True if the text starts with a mention, also of an unknown name. */
export const startsWithMention = (text: string): boolean => mentions.exec(text)?.[0].includes('@') === true;

/** In a channel, a command applies to the agents mentioned at its start. */
export function isSaidTo(slug: string, text: string): boolean {
  const [before = ''] = mentions.exec(text) ?? [];
  return before.split(/[\s,:]+/).includes(`@${slug}`);
}
