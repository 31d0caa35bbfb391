/** Reads the line of the quick ask: "@Guide what can you do?". */
import { findMentions, type NamedMember } from '../../contract/mentions.ts';

interface TypedQuestion {
  /** The agent that the text begins with, or `null`. */
  readonly slug: string | null;
  /** The text begins with `@`, but not with the name of exactly one agent. */
  readonly isUnclear: boolean;
  readonly question: string;
}

export function readQuestion(text: string, members: readonly NamedMember[]): TypedQuestion {
  const typed = text.trim();
  if (!typed.startsWith('@')) return { slug: null, isUnclear: false, question: typed };
  const [first] = findMentions(typed, members);
  const [slug, other] = first?.from === 0 ? first.slugs : [];
  if (slug === undefined || other !== undefined)
    return { slug: null, isUnclear: typed !== '@', question: typed };
  const question = typed.slice(first?.to).replace(/^[\s,:]+/, '');
  return { slug, isUnclear: false, question };
}
