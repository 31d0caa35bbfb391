/** Reads the line of the task composer: "@Guide water the plants". */
import { findMentions, type NamedMember } from '../../contract/mentions.ts';

interface TypedTask {
  /** The agent that the text names first, or `null`. */
  readonly slug: string | null;
  /** The text without that name, if it begins or ends with it. */
  readonly goal: string;
}

export function readTypedTask(text: string, agents: readonly NamedMember[]): TypedTask {
  const typed = text.trim();
  const named = findMentions(typed, agents).find(({ slugs }) => slugs.length === 1);
  const slug = named?.slugs[0];
  if (named === undefined || slug === undefined) return { slug: null, goal: typed };
  if (named.from === 0) return { slug, goal: typed.slice(named.to).replace(/^[\s,:]+/, '') };
  return { slug, goal: named.to === typed.length ? typed.slice(0, named.from).trimEnd() : typed };
}
