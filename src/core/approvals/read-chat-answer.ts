/**
 * Recognises answers of the operator in the thread of a question. Nothing else counts: no sentence that
 * contains one, no quotation, no look-alike of another script (T8).
 */
import type { ApprovalAnswer } from '../../contract/approvals.ts';

const yes = new Set(['y', 'yes', 'allow']);
const no = /^(?:n|no|deny)(?:[\s,.:;!-]+([\s\S]*))?$/i;

/** `null` if the text is no answer. Yes allows once; text after a no is its reason. */
export function consentAnswer(text: string): ApprovalAnswer | null {
  const said = text.trim();
  if (said.length > 1_000) return null;
  if (yes.has(said.toLowerCase().replace(/[.!]$/, ''))) return { type: 'allow', scope: 'once' };
  const match = no.exec(said);
  return match ? { type: 'deny', reason: (match[1] ?? '').trim() } : null;
}
