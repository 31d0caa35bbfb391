/**
 * Reads the summary of profile.md like the official client (spec §5, vectors `profile_summary`), and replaces
 * the soul: the whole section is replaced, headings inside code fences are text, and the new soul cannot end
 * the section early.
 */
import { isBlank, strip, stripStart } from '../lib/whitespace.ts';

const summaryNames: readonly string[] = ['soul', 'description', 'about', 'summary'];
const soulNames: readonly string[] = ['soul'];

interface Heading {
  readonly level: number;
  readonly name: string;
}

/** Leading spaces are allowed; a space or tab must follow the `#` run. */
function headingOf(line: string): Heading | null {
  const text = stripStart(line);
  const level = /^#*/.exec(text)?.[0].length ?? 0;
  const next = text.charAt(level);
  if (level === 0 || (next !== ' ' && next !== '\t')) return null;
  return { level, name: strip(text.slice(level)).toLowerCase() };
}

interface Section {
  /** Line numbers: of the heading, of the first body line, of the line after the last. */
  readonly at: number;
  readonly body: number;
  readonly end: number;
  readonly level: number;
}

type HeadingAt = readonly (Heading | null)[];

function findSection(headings: HeadingAt, names: readonly string[]): Section | null {
  const at = headings.findIndex((heading) => heading !== null && names.includes(heading.name));
  const level = headings[at]?.level;
  if (at < 0 || level === undefined) return null;
  const length = headings.slice(at + 1).findIndex((heading) => heading !== null && heading.level <= level);
  return { at, body: at + 1, end: length < 0 ? headings.length : at + 1 + length, level };
}

const splitLines = (text: string): string[] => text.split(/\r\n|\r|\n/);

function withoutBlankEnds(lines: readonly string[]): string {
  const first = lines.findIndex((line) => !isBlank(line));
  if (first < 0) return '';
  return lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1).join('\n');
}

/** First section named soul, description, about or summary; code fences are not recognised, as in 0.8.1. */
export function profileSummary(markdown: string): string {
  const lines = splitLines(markdown);
  const section = findSection(lines.map(headingOf), summaryNames);
  return section ? withoutBlankEnds(lines.slice(section.body, section.end)) : '';
}

/**
 * Headings by line, with `null` for lines inside code fences (CommonMark §4.5); `open` closes an unclosed
 * fence.
 */
function scanFences(lines: readonly string[]): { readonly headings: HeadingAt; readonly open: string } {
  let fence = '';
  const headings = lines.map((line) => {
    const run = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const mark = run?.[1] ?? '';
    if (fence === '') {
      const opens = mark !== '' && !(mark.startsWith('`') && run?.[2]?.includes('`'));
      if (opens) fence = mark;
      return opens ? null : headingOf(line);
    }
    if (mark.startsWith(fence) && isBlank(run?.[2] ?? '')) fence = '';
    return null;
  });
  return { headings, open: fence };
}

const fencedHeadings = (lines: readonly string[]): HeadingAt => scanFences(lines).headings;

/** Closes an open fence, which would swallow the text after it. */
function closed(lines: readonly string[]): readonly string[] {
  const { open } = scanFences(lines);
  return open === '' ? lines : [...lines, open];
}

/** Body of the section `Soul`, with fences recognised; empty if missing. */
export function readSoul(markdown: string): string {
  const lines = splitLines(markdown);
  const section = findSection(fencedHeadings(lines), soulNames);
  return section ? withoutBlankEnds(lines.slice(section.body, section.end)) : '';
}

/**
 * Replaces the whole section, or appends one. Headings of the new soul that would end the section are moved
 * to a deeper level, so that every reader, the official one included, finds the whole soul.
 */
export function replaceSoul(markdown: string, soul: string): string {
  const lines = splitLines(markdown);
  const section = findSection(fencedHeadings(lines), soulNames);
  const level = section?.level ?? 2;
  const body =
    strip(soul) === '' ? [] : [...nested(closed(splitLines(withoutBlankEnds(splitLines(soul)))), level), ''];
  if (section) {
    const heading = lines[section.at] ?? '## Soul';
    const after = lines.slice(section.end);
    return finish([...lines.slice(0, section.at), heading, '', ...body, ...after]);
  }
  const before = isBlank(markdown) ? [] : [...closed(splitLines(markdown.trimEnd())), ''];
  return finish([...before, '## Soul', '', ...body]);
}

const finish = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`;

function nested(lines: readonly string[], level: number): string[] {
  const headings = fencedHeadings(lines);
  const top = Math.min(...headings.flatMap((heading) => (heading ? [heading.level] : [])));
  const shift = Number.isFinite(top) ? Math.max(0, level + 1 - top) : 0;
  return lines.map((line, index) =>
    headings[index] && shift > 0 ? `${'#'.repeat(shift)}${stripStart(line)}` : line,
  );
}
