/**
 * Shows untrusted text in Kennel's chat messages: within a code span, on one line, with nothing hidden (T8).
 */
import { codePointName, toVisibleLine } from '../../contract/visible-text.ts';
import { cutCodePoints } from '../lib/text.ts';

const code = (character: string): string => `[${codePointName(character)}]`;

export interface CodeSpan {
  /** Empty if the input is. */
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * One line in backticks. Characters that could end the line or the span appear as their code, also for
 * readers of the raw Markdown; so does a leading combining mark, which would join the backtick.
 */
export function codeSpan(text: string, maxPoints: number): CodeSpan {
  const line = toVisibleLine(text).replace(/`|^\p{M}/gu, code);
  if (line.trim() === '') return { text: '', isCut: false };
  const shown = cutCodePoints(line, maxPoints);
  const isCut = shown.length < line.length;
  return { text: `\`${shown}${isCut ? '…' : ''}\``, isCut };
}

/** Most code points of a name of a person, an agent or a workflow. */
const namePoints = 80;

export const nameSpan = (name: string): CodeSpan => codeSpan(name, namePoints);

export const nameSpans = (names: readonly string[]): CodeSpan => {
  const spans = names.map(nameSpan).filter(({ text }) => text !== '');
  return { text: spans.map(({ text }) => text).join(', '), isCut: spans.some(({ isCut }) => isCut) };
};

/** Longer than any run of backticks inside, so that no content can end the fence. */
export function fenceFor(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}
