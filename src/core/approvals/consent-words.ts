/**
 * Which words of the operator in a question's own thread are an answer. Nothing else is: not a sentence that holds one,
 * not a quotation, not another script's look-alike (T8).
 */
import type { ApprovalAnswer } from '../../contract/consent.ts';

const yes = new Set(['y', 'yes', 'allow']);
const no = /^(?:n|no|deny)(?:[\s,.:;!-]+([\s\S]*))?$/i;

/** Null: not an answer. Yes means this once; whatever follows a no is its reason. */
export function consentAnswer(text: string): ApprovalAnswer | null {
  const said = text.trim();
  if (said.length > 1_000) return null;
  if (yes.has(said.toLowerCase().replace(/[.!]$/, ''))) return { type: 'allow', scope: 'once' };
  const match = no.exec(said);
  return match ? { type: 'deny', reason: (match[1] ?? '').trim() } : null;
}
