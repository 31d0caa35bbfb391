/**
 * Patterns for calls: `Name`, `Name(glob)`, `*`, including the tool names of Claude Code. An allowing pattern
 * must cover everything that the call does; a denying or asking one needs to meet only a part. Unclear parts
 * count as not covered, and as met.
 */
import { lastPathPart } from '../lib/text.ts';
import type { Effect, ToolGroup } from './assessment.ts';
import { effectPathFits, type PathMatch, type Sense } from './effect-path.ts';
import { matchName } from './glob.ts';
import type { PathBase } from './paths.ts';
import type { PolicyCall } from './policy-call.ts';
import { commandWords } from './split-commands.ts';

export interface ToolPattern {
  readonly name: string;
  /** `null` for any call of that tool. */
  readonly body: string | null;
}

/** Tool names of Claude Code, and Kennel's equivalents. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Bash: ['bash_exec', 'shell'],
  Read: ['read_file'],
  Write: ['write_file'],
  Edit: ['edit_file'],
  MultiEdit: ['edit_file'],
  LS: ['list_dir'],
  Glob: ['search_files'],
  Grep: ['search_files'],
  WebFetch: ['web_fetch'],
  WebSearch: ['web_search'],
  Task: ['sub_agent'],
  Agent: ['sub_agent'],
  file_read: ['read_file'],
  file_write: ['write_file'],
};

/** `null` if the text is no pattern. */
export function parsePattern(text: string): ToolPattern | null {
  const match = /^\s*([\w.:*?-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  if (!match) return null;
  const [, name = '', body] = match;
  const inner = body?.trim();
  return { name, body: inner === undefined || inner === '' || inner === '*' ? null : inner };
}

/** Prefix of the team chat's tools in the official client's runtimes. */
const chatServer = 'mcp__puffo__';

/**
 * Matches a tool name, a group (`group:files` or `files`), another program's name for it, or a glob.
 * Case-sensitive (puffo-protocol, tool patterns).
 */
export function toolFits(pattern: string, tool: string, group: ToolGroup | null): boolean {
  if (pattern.startsWith('group:')) return group !== null && matchName(pattern.slice(6), group);
  if (Object.hasOwn(otherNames, pattern) && otherNames[pattern]?.includes(tool)) return true;
  if (pattern === group || matchName(pattern, tool)) return true;
  // Claude Code names the tools of all servers so; `mcp__NAME` means all tools of the server.
  if (group === 'mcp' && pattern.startsWith('mcp__')) {
    const own = pattern.slice('mcp__'.length);
    return matchName(own, tool) || (!own.includes('__') && matchName(`${own}__*`, tool));
  }
  if (!pattern.startsWith(chatServer)) return false;
  const name = pattern.slice(chatServer.length);
  return name === tool || (group === 'puffo' && matchName(name, tool));
}

/**
 * `git status *` and `git status:*` both match any further words; a `*` elsewhere matches one word or a part
 * of it.
 */
function wordsFit(pattern: string, argv: readonly string[], sense: Sense): boolean {
  const open = /(?::\*|\s\*)$/.test(pattern);
  const words = (open ? pattern.replace(/(?::\*|\s\*)$/, '') : pattern)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (argv.length < words.length || (!open && argv.length > words.length)) return false;
  return words.every((word, index) => {
    const found = argv[index] ?? '';
    if (matchName(word, found)) return true;
    // A denied program stays denied under a path; an allowed one must be named as it was allowed.
    return sense === 'meets' && index === 0 && matchName(word, lastPathPart(found));
  });
}

function commandFits(pattern: string, call: PolicyCall, sense: Sense): boolean | null {
  const found = commandWords(call);
  if (!found) return null;
  const fits = (argv: readonly string[]): boolean => wordsFit(pattern, argv, sense);
  if (sense === 'covers') return !found.unclear && found.commands.every(fits);
  return found.unclear || [...found.commands, ...found.inner].some(fits);
}

function effectFits(pattern: string, call: PolicyCall, effect: Effect, how: PathMatch): boolean {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      return effectPathFits(pattern, call, effect, how);
    case 'send':
      return matchName(pattern, effect.to);
    case 'network':
      return matchName(pattern, effect.host);
    case 'run':
      return false;
  }
}

function bodyFits(body: string, call: PolicyCall, { base, sense }: PathMatch): boolean {
  const asCommand = commandFits(body, call, sense);
  if (asCommand !== null) return asCommand;
  const { effects } = call.assessment;
  const fits = (effect: Effect): boolean => effectFits(body, call, effect, { base, sense });
  return sense === 'covers' ? effects.length > 0 && effects.every(fits) : effects.some(fits);
}

/** An invalid pattern covers nothing and meets everything. */
export function toolPatternFits(text: string, call: PolicyCall, base: PathBase, sense: Sense): boolean {
  const pattern = parsePattern(text);
  if (!pattern) return sense === 'meets';
  if (!toolFits(pattern.name, call.tool, call.group)) return false;
  return pattern.body === null || bodyFits(pattern.body, call, { base, sense });
}

/**
 * Whether a pattern is about command lines of this tool, and the call runs code that cannot be compared
 * with it.
 */
export function cannotJudge(text: string, call: PolicyCall): boolean {
  const pattern = parsePattern(text);
  if (!pattern || pattern.body === null || !toolFits(pattern.name, call.tool, call.group)) return false;
  return commandWords(call)?.opaque === true;
}
