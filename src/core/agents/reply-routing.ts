/** Decides what follows from the text of a turn (spec §3.6): nothing, a retry, or a reply in the thread. */
import { strip } from '../lib/whitespace.ts';

export type ReplyRoute =
  | { readonly type: 'silent'; readonly why: 'sent_by_tool' | 'asked_for_silence' | 'nothing_said' }
  | { readonly type: 'retry' }
  | { readonly type: 'reply'; readonly text: string };

/**
 * One part is sent as it is, several as a list; without parts, the joined text (vectors
 * `assistant_fallback`).
 */
export function fallbackText(parts: readonly string[], joined: string): string {
  const spoken = parts.map(strip).filter((part) => part !== '');
  if (spoken.length > 1) return spoken.map((part) => `- ${part}`).join('\n');
  return spoken[0] ?? strip(joined);
}

/**
 * `plainModel`: Kennel itself called the model, so an API error is an event and never text; such an agent may
 * write "API Error" without a retry.
 */
export function routeReply(turn: {
  readonly parts: readonly string[];
  readonly messageSent: boolean;
  readonly plainModel: boolean;
}): ReplyRoute {
  if (turn.messageSent) return { type: 'silent', why: 'sent_by_tool' };
  const joined = turn.parts.join('');
  if (joined.includes('[SILENT]')) return { type: 'silent', why: 'asked_for_silence' };
  if (!turn.plainModel && joined.includes('API Error')) return { type: 'retry' };
  const text = fallbackText(turn.parts, joined);
  return text === '' ? { type: 'silent', why: 'nothing_said' } : { type: 'reply', text };
}
