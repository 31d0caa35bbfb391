/** Splits an excerpt into matches of the search and the text between them. */

export interface FoundPart {
  readonly text: string;
  readonly found: boolean;
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Terms of a search: quoted phrases stay whole, a trailing `*` is removed. */
export const searchedWords = (typed: string): readonly string[] =>
  [...typed.matchAll(/"([^"]*)"?|([^\s"]+)/gu)]
    .map((match) => (match[1] ?? match[2] ?? '').replace(/\*+$/, '').trim())
    .filter((word) => word !== '');

/** Matches only prefixes of words, as the host's search does. */
export function foundParts(excerpt: string, typed: string): readonly FoundPart[] {
  const words = searchedWords(typed);
  if (words.length === 0) return [{ text: excerpt, found: false }];
  const pattern = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => escaped(word).replace(/\s+/gu, '\\s+'))
    .join('|');
  return excerpt
    .split(new RegExp(`(?<![\\p{L}\\p{N}])(${pattern})`, 'giu'))
    .map((text, index) => ({ text, found: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
