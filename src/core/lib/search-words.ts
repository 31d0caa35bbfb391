/**
 * What is indexed of a text, and what somebody who searches means. Nothing that is typed is syntax of the search engine:
 * of each word only letters, marks and digits are left, and what is left is quoted (T25).
 */

/** Written without spaces between words: each character is a word of its own, and a word of them a phrase. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const between = /[^\p{L}\p{N}\p{M}\p{Co}]+/u;

const mostWords = 16;
const wordLength = 200;
/** Code units before a `*`; shorter beginnings are those of too many words. */
const shortestBeginning = 2;

/** The text as it is indexed. */
export const searchText = (text: string): string => text.replace(unspaced, ' $& ').replaceAll('\u0000', ' ');

/** The words of a search, in pieces; each piece is one word of the index. */
interface SearchWord {
  readonly pieces: readonly string[];
  /** Written with `*` at its end: any word that begins so. */
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
  // "several words" in quotation marks belong together; a mark without its partner is nothing.
  const words = typed.match(/"[^"]*"|[^\s"]+/gu) ?? [];
  return words
    .map(wordOf)
    .filter(({ pieces }) => pieces.length > 0)
    .slice(0, mostWords);
}

/**
 * A full-text query: all words must be there, those in quotation marks beside each other. Null: nothing was typed that
 * could be found.
 */
export function searchQuery(typed: string): string | null {
  const words = parts(typed);
  if (words.length === 0) return null;
  return words.map(({ pieces, beginning }) => `"${pieces.join(' ')}"${beginning ? '*' : ''}`).join(' ');
}

/** Without case and accents, of the same length as far as that is possible. */
const folded = (text: string): string =>
  [...text].map((point) => point.normalize('NFD')[0]?.toLowerCase() ?? point).join('');

/** At most `length` code points of the text, from a little before the first word that was searched for. */
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
