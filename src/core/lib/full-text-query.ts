/**
 * Prepares text and queries for full-text search. Queries have no engine syntax: only letters, marks and
 * digits of each word remain, and they are quoted (T25).
 */

/** Scripts written without spaces: each character is indexed as a word, and a word becomes a phrase. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const between = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

const mostWords = 16;
const wordLength = 200;
/** Least code units before a `*`: shorter prefixes match too many words. */
const shortestBeginning = 2;

export const searchText = (text: string): string => text.replace(unspaced, ' $& ').replaceAll('\u0000', ' ');

/** Search term, split into indexed words. */
interface SearchWord {
  readonly pieces: readonly string[];
  /** Ends with `*`: matches any word with this prefix. */
  readonly beginning: boolean;
}

function wordOf(typed: string): SearchWord {
  const pieces = searchText(typed.slice(0, wordLength))
    .split(between)
    .filter((piece) => piece !== '');
  const last = pieces.at(-1) ?? '';
  return { pieces, beginning: typed.endsWith('*') && last.length >= shortestBeginning };
}

function parts(typed: string): readonly SearchWord[] {
  // Words in quotation marks form a phrase; an unpaired quotation mark is ignored.
  const words = typed.match(/"[^"]*"|[^\s"]+/gu) ?? [];
  return words
    .map(wordOf)
    .filter(({ pieces }) => pieces.length > 0)
    .slice(0, mostWords);
}

/**
 * Full-text query: all words must match, quoted ones as a phrase. `null` if the input contains nothing
 * searchable.
 */
export function searchQuery(typed: string): string | null {
  const words = parts(typed);
  if (words.length === 0) return null;
  return words.map(({ pieces, beginning }) => `"${pieces.join(' ')}"${beginning ? '*' : ''}`).join(' ');
}

/** Without case and accents, and of the same length where possible. */
const folded = (text: string): string =>
  [...text].map((point) => point.normalize('NFD')[0]?.toLowerCase() ?? point).join('');

/** At most `length` code points of the text, starting a little before the first match. */
export function excerptOf(text: string, typed: string, length: number): string {
  const points = [...text];
  if (points.length <= length) return text;
  const plain = folded(text);
  const places = parts(typed).map(({ pieces }) => plain.indexOf(folded(pieces[0] ?? '')));
  const found = places.filter((place) => place >= 0);
  const at = found.length === 0 ? 0 : [...plain.slice(0, Math.min(...found))].length;
  const from = Math.max(0, Math.min(at - Math.floor(length / 4), points.length - length));
  const end = from + length;
  return `${from > 0 ? '…' : ''}${points.slice(from, end).join('')}${end < points.length ? '…' : ''}`;
}
