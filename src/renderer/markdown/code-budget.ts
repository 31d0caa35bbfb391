/**
 * Limits the code that is coloured (T24): the highlighter can take time quadratic in the length of hostile code, and
 * it runs while the window renders.
 */
import type { CodePart } from './highlight.ts';

/** Longer blocks stay plain: code units. */
export const longestColoured = 3_000;
/** Code units of the coloured blocks of a text together; the blocks beyond stay plain. */
const mostColoured = 6_000;

/** Shorter code says nothing about a language: code units. */
const telling = 1_000;
const slowMs = 250;

interface TreeNode {
  readonly tagName?: string;
  readonly value?: unknown;
  readonly properties?: Record<string, unknown>;
  readonly children?: readonly TreeNode[];
}

const textOf = ({ value, children = [] }: TreeNode): string =>
  typeof value === 'string' ? value : children.map(textOf).join('');

/** Text of a block of code, without the line break that Markdown adds. */
export const codeText = (block: TreeNode | undefined): string =>
  block === undefined ? '' : textOf(block).replace(/\n$/, '');

/** Language that a fence names, in lower case, or an empty string. */
function codeLanguage(block: TreeNode): string {
  const classes = block.children?.[0]?.properties?.className;
  const named = Array.isArray(classes)
    ? classes.map(String).find((one) => one.startsWith('language-'))
    : undefined;
  return named?.slice('language-'.length).toLowerCase() ?? '';
}

/** Property of a block whose code may be coloured: its language. */
const property = 'colouredAs';

function grant(node: TreeNode, left: number): number {
  if (node.tagName !== 'pre' || node.properties === undefined)
    return (node.children ?? []).reduce((rest, child) => grant(child, rest), left);
  const { length } = codeText(node);
  const language = codeLanguage(node);
  if (language === '' || length > Math.min(longestColoured, left)) return left;
  node.properties[property] = language;
  return left - length;
}

/** Plugin of the Markdown renderer that says which blocks may be coloured, from the first on. */
export const codeBudget = () => (tree: TreeNode) => {
  grant(tree, mostColoured);
};

/** Language for the colours of a block, or an empty string if it stays plain. */
export function colouredAs(block: TreeNode | undefined): string {
  const language = block?.properties?.[property];
  return typeof language === 'string' ? language : '';
}

export type Colour = (language: string, code: string) => readonly CodePart[] | null;

/** A language that was slow once is not coloured again: `null`. */
export function unlessSlow(colour: Colour, now: () => number): Colour {
  const slow = new Set<string>();
  return (language, code) => {
    if (slow.has(language)) return null;
    const start = now();
    const parts = colour(language, code);
    if (code.length > telling && now() - start > slowMs) slow.add(language);
    return parts;
  };
}
