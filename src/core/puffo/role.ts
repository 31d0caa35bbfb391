/** Derives the short role shown beside a name from a longer one (spec §6.7, vectors `role_short`). */
import { codePointLength } from '../lib/text.ts';
import { hasSpace, isBlank, strip } from '../lib/whitespace.ts';

/** Code points. */
export const roleLimit = 140;
export const roleShortLimit = 32;

/**
 * The single word before the first colon, if text follows it; otherwise empty. `coder: writes code` gives
 * `coder`.
 */
export function deriveRoleShort(role: string): string {
  const colon = role.indexOf(':');
  if (colon < 0) return '';
  const word = strip(role.slice(0, colon));
  const fits = word !== '' && codePointLength(word) <= roleShortLimit && !hasSpace(word);
  return fits && !isBlank(role.slice(colon + 1)) ? word : '';
}
