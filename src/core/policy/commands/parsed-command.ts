/** What a command line means, as data: all decisions are made on this, and what runs is built from this alone. */
import type { Risk } from '../../tool-ports.ts';
import type { ParsedOption } from './options.ts';

export type CommandName =
  | 'pwd' | 'ls' | 'cat' | 'head' | 'tail' | 'wc' | 'find' | 'rg' | 'git' | 'echo' | 'df' | 'du'
  | 'mkdir' | 'touch' | 'cp' | 'mv' | 'rm'; // biome-ignore format: a list

export type OperandKind =
  | 'read' // a path that is read
  | 'write' // a path that is made or changed; links are followed
  | 'entry' // a name that is removed or moved away; a link is meant itself
  | 'target' // where cp and mv put things: the new name, or a folder that receives it
  | 'pattern'
  | 'text'
  | 'revision'
  | 'revision-or-path'
  | 'expression' // a word of find's expression
  | 'expression-path'; // one that names a file

export interface Operand {
  readonly kind: OperandKind;
  readonly text: string;
}

export interface ParsedCommand {
  readonly name: CommandName;
  /** Of git. */
  readonly subcommand: string | null;
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Operand[];
  /** Paths as written that are read. */
  readonly reads: readonly string[];
  /** Paths as written that are made, changed or removed. */
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

/** The last one counts. */
export const optionValue = (command: ParsedCommand, name: string): string | null =>
  command.options.findLast((option) => option.name === name)?.value ?? null;
