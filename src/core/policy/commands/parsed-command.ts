/** Parsed form of a command: all decisions use it, and the started argv is built from it alone. */
import type { Risk } from '../assessment.ts';
import type { ParsedOption } from './options.ts';

export type CommandName =
  | 'pwd' | 'ls' | 'cat' | 'head' | 'tail' | 'wc' | 'find' | 'rg' | 'git' | 'echo' | 'df' | 'du'
  | 'mkdir' | 'touch' | 'cp' | 'mv' | 'rm'; // biome-ignore format: a list

export type OperandKind =
  | 'read'
  | 'write' // a path that is created or changed; links are followed
  | 'entry' // a name that is removed or moved; a link itself, not its target
  | 'target' // destination of cp and mv: the new name, or a folder
  | 'pattern'
  | 'text'
  | 'revision'
  | 'revision-or-path'
  | 'expression' // a word of find's expression
  | 'expression-path'; // an expression word that names a file

export interface Operand {
  readonly kind: OperandKind;
  readonly text: string;
}

export interface ParsedCommand {
  readonly name: CommandName;
  /** Only for git. */
  readonly subcommand: string | null;
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Operand[];
  /** Paths read, as written. */
  readonly reads: readonly string[];
  /** Paths created, changed or removed, as written. */
  readonly writes: readonly string[];
  readonly risk: Risk;
}

const written = new Set<OperandKind>(['write', 'entry', 'target']);

export function commandOf(parts: Omit<ParsedCommand, 'reads' | 'writes'>): ParsedCommand {
  const texts = (fits: (kind: OperandKind) => boolean): string[] =>
    parts.operands.filter(({ kind }) => fits(kind)).map(({ text }) => text);
  return {
    ...parts,
    reads: texts((kind) => kind === 'read' || kind === 'expression-path'),
    writes: texts((kind) => written.has(kind)),
  };
}

export const hasOption = (command: ParsedCommand, name: string): boolean =>
  command.options.some((option) => option.name === name);

/** The last occurrence counts. */
export const optionValue = (command: ParsedCommand, name: string): string | null =>
  command.options.findLast((option) => option.name === name)?.value ?? null;
