/** Patterns of the lines that open and close directives. Each looks at one line or one tag, in linear time. */
import type { DirectiveAction } from './directive.ts';

/** Most characters of a line that can be an opener or a closer; a longer line is neither. */
export const longestMarker = 1_100;

export interface FenceMark {
  readonly character: '`' | '~';
  readonly length: number;
}

export interface Opener {
  readonly target: string;
  readonly action: DirectiveAction;
  /** `null` for an XML call. */
  readonly fence: FenceMark | null;
  /** Spaces before the fence. */
  readonly indent: number;
}

const named = '([A-Za-z0-9._/-]{1,1000}):(execute|create)';
const fenceOpener = new RegExp(`^( {0,3})(\`{3,}|~{3,})${named} *\\r?\\n?$`, 'i');
const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\r\n]*)\r?\n?$/;
const xmlOpener = new RegExp(`^[ \\t]*<invoke\\s+name\\s*=\\s*(["'])${named}\\1\\s*>$`, 'i');

const actionOf = (text: string | undefined): DirectiveAction =>
  text?.toLowerCase() === 'create' ? 'create' : 'execute';

const markOf = (run: string): FenceMark => ({
  character: run.startsWith('~') ? '~' : '`',
  length: run.length,
});

/** A line that opens a directive; `null` for any other. */
export function readFenceOpener(line: string): Opener | null {
  const found = fenceOpener.exec(line);
  if (!found) return null;
  const [, indent = '', run = '', target = '', action] = found;
  return { target, action: actionOf(action), fence: markOf(run), indent: indent.length };
}

export function readXmlOpener(tag: string): Opener | null {
  const found = xmlOpener.exec(tag);
  if (!found) return null;
  const [, , target = '', action] = found;
  return { target, action: actionOf(action), fence: null, indent: 0 };
}

/** Any line that begins with a fence; `info` is the text after it. */
export function readFenceLine(line: string): (FenceMark & { readonly info: string }) | null {
  const found = fenceLine.exec(line);
  if (!found) return null;
  const mark = markOf(found[1] ?? '');
  const info = (found[2] ?? '').trimEnd();
  // Backticks later in the line make it inline code.
  if (mark.character === '`' && info.includes('`')) return null;
  return { ...mark, info };
}

export const closes = (line: string, { character, length }: FenceMark): boolean => {
  const found = readFenceLine(line);
  return found?.info === '' && found.character === character && found.length >= length;
};
