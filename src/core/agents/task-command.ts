/** What the operator says in the chat to give an agent a task: `/task GOAL`, and `/tasks` for those it has. */

export type TaskCommand = { readonly type: 'task'; readonly goal: string } | { readonly type: 'tasks' };

const mentions = /^(?:[\s,:]|@[A-Za-z0-9][A-Za-z0-9_-]*)+/;

/** Mentions at the start only say whom. Null: it is something else. */
export function taskCommand(text: string): TaskCommand | null {
  const said = text.replace(mentions, '').trim();
  if (/^\/tasks$/i.test(said)) return { type: 'tasks' };
  const goal = /^\/task(?:\s+([\s\S]*))?$/i.exec(said);
  return goal ? { type: 'task', goal: (goal[1] ?? '').trim() } : null;
}

/** In a channel it is for those that it begins with. */
export function isSaidTo(slug: string, text: string): boolean {
  const [before = ''] = mentions.exec(text) ?? [];
  return before.split(/[\s,:]+/).includes(`@${slug}`);
}
