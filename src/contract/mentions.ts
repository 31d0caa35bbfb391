/**
 * Finds mentions: `@slug` as a whole slug (`@bob-1` is no mention in `@bob-12`, `@bob-1-x` or `a@bob-1`, spec
 * §6.3), and `@Display Name` of a member of the room, if exactly one member can be meant. Code mentions no member: a
 * pasted log or example wakes no agent.
 */
import { codeRanges, createRangeCursor } from './code-ranges.ts';

export interface NamedMember {
  readonly slug: string;
  readonly displayName: string;
}

export interface FoundMention {
  /** Index of the `@`, and the end of the name or slug. */
  readonly from: number;
  readonly to: number;
  /** Members that it can mean; with more than one it mentions no member. */
  readonly slugs: readonly string[];
}

const slugMention = /(^|[^A-Za-z0-9_-])@([A-Za-z0-9][A-Za-z0-9_-]*)/g;
const anyMention = /(?<![A-Za-z0-9_-])@(?=[\p{L}\p{N}])/gu;
const slugToken = /[A-Za-z0-9][A-Za-z0-9_-]*/y;
/** Like a slug of the server: such a name could pose as another account. */
const slugForm = /-[0-9a-f]{4}$/i;
/** Names begin where words do, so that no part of an address is one. */
const nameStart = /(?<=^|[\s([{"'*_])@(?=[\p{L}\p{N}])/u;
/** A name that ends inside a longer word, address, package or file name is not mentioned. */
const goesOn = /^(?:[\p{L}\p{N}_/-]|[.@](?=[\p{L}\p{N}])|:(?=\S))/u;
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const longestName = 100;
/** Limits the work for a hostile text. */
const mostByName = 50;

/** Every mentioned slug once, in order of appearance, exactly as written. */
export function mentionedSlugs(text: string): readonly string[] {
  const found = new Set<string>();
  if (!text.includes('@')) return [];
  const isInCode = createRangeCursor(codeRanges(text));
  for (const { index, 1: before = '', 2: slug } of text.matchAll(slugMention)) {
    if (slug !== undefined && !isInCode(index + before.length)) found.add(slug);
  }
  return [...found];
}

export const mentions = (text: string, slug: string): boolean => mentionedSlugs(text).includes(slug);

/** Own mentions become `@you(<slug>)`, so that the model recognises its own name (spec §3.5). */
export function markOwnMentions(text: string, slug: string): string {
  const isInCode = createRangeCursor(codeRanges(text));
  return text.replace(slugMention, (whole, before: string, found: string, at: number) =>
    found === slug && !isInCode(at + before.length) ? `${before}@you(${slug})` : whole,
  );
}

interface Names {
  readonly slugs: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly lengths: ReadonlySet<number>;
}

/**
 * Slugs that a text mentions although they may be no known members: those in the server's form, and any while members
 * or names of members are unknown.
 */
export const foreignSlugs = (text: string, members: readonly NamedMember[]): readonly string[] =>
  mentionedSlugs(text).filter((slug) => areUnknown(members) || slugForm.test(slug));

/** A member whose name is unknown is shown by slug. */
const areUnknown = (members: readonly NamedMember[]): boolean =>
  members.length === 0 || members.some(({ slug, displayName }) => displayName === slug);

function namesOf(members: readonly NamedMember[]): Names {
  const byName = new Map<string, readonly string[]>();
  for (const { slug, displayName } of members) {
    const name = displayName.trim().toLowerCase();
    if (name === '' || name.length > longestName || slugForm.test(name) || unseen.test(name)) continue;
    const others = byName.get(name) ?? [];
    if (!others.includes(slug)) byName.set(name, [...others, slug]);
  }
  const lengths = new Set([...byName.keys()].map((name) => name.length));
  return { slugs: new Set(members.map(({ slug }) => slug)), byName, lengths };
}

/**
 * The mentions of members, in order. A name that continues another member's name is ambiguous: the member called
 * "Guide please" takes no message from "Guide".
 */
export function findMentions(text: string, members: readonly NamedMember[]): readonly FoundMention[] {
  if (!text.includes('@') || members.length === 0) return [];
  const names = namesOf(members);
  const isInCode = createRangeCursor(codeRanges(text));
  const isInAddress = createRangeCursor(addressRanges(text));
  const found: FoundMention[] = [];
  let byName = 0;
  for (const { index: from } of text.matchAll(anyMention)) {
    if (isInCode(from)) continue;
    slugToken.lastIndex = from + 1;
    const token = slugToken.exec(text)?.[0] ?? '';
    if (names.slugs.has(token)) {
      found.push({ from, to: from + 1 + token.length, slugs: [token] });
      continue;
    }
    if (byName >= mostByName || !startsName(text, from) || isInAddress(from)) continue;
    byName += 1;
    const named = namedAt(text, from, names);
    if (named !== null) found.push(named);
  }
  return found;
}

const startsName = (text: string, at: number): boolean =>
  nameStart.test(text.slice(Math.max(0, at - 1), at + 3));

function namedAt(text: string, from: number, { byName, lengths }: Names): FoundMention | null {
  const slugs = new Set<string>();
  let to = from;
  for (const length of lengths) {
    const end = from + 1 + length;
    if (end > text.length) continue;
    const fitting = byName.get(text.slice(from + 1, end).toLowerCase());
    if (fitting === undefined || goesOn.test(text.slice(end, end + 3))) continue;
    for (const slug of fitting) slugs.add(slug);
    to = Math.max(to, end);
  }
  return slugs.size === 0 ? null : { from, to, slugs: [...slugs] };
}

/** Returns true if the text may mention a member by name, so that the names of the room are needed. */
export function mayMentionByName(text: string): boolean {
  for (const { index } of text.matchAll(anyMention)) {
    slugToken.lastIndex = index + 1;
    if (!startsName(text, index)) continue;
    if (!slugForm.test(slugToken.exec(text)?.[0] ?? '')) return true;
  }
  return false;
}

/** Writes every unambiguous name as the member's slug, which all clients understand. */
export function withSlugs(text: string, members: readonly NamedMember[]): string {
  let written = '';
  let at = 0;
  for (const { from, to, slugs } of findMentions(text, members)) {
    const [slug] = slugs;
    if (slug === undefined || slugs.length > 1) continue;
    written += `${text.slice(at, from)}@${slug}`;
    at = to;
  }
  return written + text.slice(at);
}

/** Names in the text that more than one member can mean, each once, as written. */
export function ambiguousNames(text: string, members: readonly NamedMember[]): readonly string[] {
  const several = findMentions(text, members).filter(({ slugs }) => slugs.length > 1);
  return [...new Set(several.map(({ from, to }) => text.slice(from + 1, to)))];
}

/** Ranges of words with `://`. */
function addressRanges(text: string): readonly (readonly [number, number])[] {
  if (!text.includes('://')) return [];
  const words = [...text.matchAll(/\S+/g)].filter(([word]) => word.includes('://'));
  return words.map(({ index, 0: word }) => [index, index + word.length] as const);
}
