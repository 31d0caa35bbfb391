/**
 * Derives an agent's folder name from its display name. The table holds letters that NFKD does not decompose.
 */

const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** Removes accents; a name without Latin letters becomes "agent"; a taken id gets the next free number. */
export function idFrom(name: string, isTaken: (id: string) => boolean): string {
  const words = name
    .toLowerCase()
    .replace(/[ßæœøłđ]/g, (letter) => plainLetters[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const wanted = words === '' ? 'agent' : words;
  if (!isTaken(wanted)) return wanted;
  let number = 2;
  while (isTaken(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}
