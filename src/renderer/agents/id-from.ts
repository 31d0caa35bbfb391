/** A folder name made from a display name; the person never has to invent one. */

const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** Accents fall away; a name without Latin letters becomes "agent"; a taken one gets the next free number. */
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
