/**
 * Finds values inside code of another language. Quoting protects them from the shell, but `python -c` or
 * `awk` reads them as part of a program. Values that a shell would run are refused elsewhere; this check only
 * warns.
 */

import type { HostText } from '../../../language/host-message.ts';
import { type CodeLanguage, codeLanguages, shells } from './code-languages.ts';
import type { Step, Template } from './definition.ts';
import { openTexts, readStages } from './pipeline-stages.ts';
import { type ShellCommand, shellCommands, type TemplateShellWord } from './shell-words.ts';

const prepares = /^(?:\w+=.*|command|exec|nohup|time|[!{]|if|then|elif|else|while|until|do)$/s;
/** These run a command found somewhere in their arguments. */
const handsOn = /^(?:env|sudo|doas|nice|timeout|xargs|find|parallel|docker|podman|kubectl)$/;

const programOf = ({ text }: TemplateShellWord): string => text.split('/').at(-1) ?? '';

interface Call {
  readonly language: CodeLanguage;
  readonly program: string;
  readonly words: readonly TemplateShellWord[];
}

function callOf(words: readonly TemplateShellWord[], known: readonly CodeLanguage[]): Call | null {
  const first = words.findIndex(({ text }) => !prepares.test(text));
  for (const [at, word] of words.entries()) {
    if (at < first) continue;
    const program = programOf(word);
    const language = known.find(({ programs }) => programs.test(program));
    if (language) return { language, program, words: words.slice(at + 1) };
    if (at === first && !handsOn.test(program)) return null;
  }
  return null;
}

/** Position of a flag's code: the next word or the same one; `null` if the flag takes no code. */
function codeAt({ letters, longFlags = [] }: CodeLanguage, flag: string): 'behind' | 'here' | null {
  const [long = '', ...rest] = flag.startsWith('--') ? flag.slice(2).split('=') : [];
  if (longFlags.includes(long)) return rest.length > 0 ? 'here' : 'behind';
  if (letters === '' || flag.startsWith('--')) return null;
  const end = new RegExp(`^-[A-Za-z]*?[${letters}]`).exec(flag)?.[0].length;
  if (end === undefined) return null;
  return end === flag.length ? 'behind' : 'here';
}

interface Part {
  readonly kind: 'code' | 'code-file' | 'from-input' | 'operand';
  readonly word: TemplateShellWord;
}

/** Kind of the word, and how many words belong to it; `null` for a flag that does not concern code. */
function partAt(
  language: CodeLanguage,
  word: TemplateShellWord,
  next: TemplateShellWord | undefined,
): [Part | null, number] {
  const { takes = {}, inputFlag } = language;
  const { text } = word;
  const taken = Object.hasOwn(takes, text) ? takes[text] : undefined;
  if (taken === 'file') return [{ kind: 'code-file', word }, 2];
  if (taken !== undefined) return [null, taken + 1];
  if (text === '-' || text === inputFlag) return [{ kind: 'from-input', word }, 1];
  if (!text.startsWith('-')) return [{ kind: 'operand', word }, 1];
  const place = codeAt(language, text);
  if (place === null) return [null, 1];
  return place === 'here' ? [{ kind: 'code', word }, 1] : [next ? { kind: 'code', word: next } : null, 2];
}

function partsOf({ language, words }: Call): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    if (!word) break;
    const [part, length] = partAt(language, word, words[at + 1]);
    if (part) parts.push(part);
    at += length;
  }
  return parts;
}

/** Whether an operand is code, by its index and whether code was given before it. */
function isCode(operands: CodeLanguage['operands'], number: number, given: boolean): boolean {
  if (operands === 'first') return number === 0 && !given;
  return operands === 'all' || (operands === 'behind-first' && number > 0);
}

/** Words that are read as code; `null` if none exist, so that the program reads standard input. */
function codeOf(call: Call): readonly TemplateShellWord[] | null {
  const { operands } = call.language;
  const parts = partsOf(call);
  const code = parts.filter(({ kind }) => kind === 'code').map(({ word }) => word);
  const plain = parts.filter(({ kind }) => kind === 'operand').map(({ word }) => word);
  if (operands !== 'stop') {
    const given = parts.some(({ kind }) => kind === 'code' || kind === 'code-file');
    const more = plain.filter((_, number) => isCode(operands, number, given));
    return code.length + more.length === 0 ? null : [...code, ...more];
  }
  const [first] = parts.filter(({ kind }) => kind !== 'code-file');
  if (first?.kind === 'code') return code;
  return first?.kind === 'operand' ? [] : null;
}

const says = /^(?:echo|printf)$/;

/** Words that the previous command of the pipe writes into this one. */
const fedBy = ({ source }: ShellCommand): readonly TemplateShellWord[] => (source ? saidBy(source) : []);

const readAsCode = (command: ShellCommand, call: Call): readonly TemplateShellWord[] =>
  codeOf(call) ?? (call.language.fromInput ? fedBy(command) : []);

export interface Pasted {
  readonly program: string;
  readonly instead: HostText;
}

function pastedIn(command: ShellCommand): Pasted | null {
  const call = callOf(command.words, [...codeLanguages, ...shells]);
  if (!call) return null;
  const { language, program } = call;
  // A value that a shell would read again is refused and reported elsewhere.
  const counts = ({ value, variable }: TemplateShellWord): boolean =>
    variable || (value && !shells.includes(language));
  return readAsCode(command, call).some(counts) ? { program, instead: language.instead } : null;
}

const closesGroup = /^(?:\}|done|fi|esac)$/;

/**
 * Whether the command closes a group, so that any command of the group may have written the output; a command
 * without words is a bracket.
 */
const isGroup = ({ words }: ShellCommand): boolean => closesGroup.test(words[0]?.text ?? '}');

/** Words that the command prints, or passes on from its here-strings. */
function saidBy({ words, given }: ShellCommand): readonly TemplateShellWord[] {
  const first = words.findIndex(({ text }) => !prepares.test(text));
  const program = words[first];
  return program && says.test(programOf(program)) ? [...words.slice(first + 1), ...given] : given;
}

/**
 * Whether a value is piped into a shell that reads commands (`echo … | sh`), through any commands in between.
 */
export function feedsShell(template: Template): boolean {
  const carrying = new Set<ShellCommand>();
  let said = false;
  for (const command of shellCommands(template)) {
    const { source } = command;
    const isFed = source !== null && carrying.has(source);
    const call = isFed ? callOf(command.words, shells) : null;
    if (call?.language.fromInput && codeOf(call) === null) return true;
    const own = saidBy(command).some(({ value }) => value);
    said ||= own;
    if (own || isFed || (said && isGroup(command))) carrying.add(command);
  }
  return false;
}

/** File name without a leading `./`. */
const fileName = ({ text }: TemplateShellWord): string => text.replace(/^(?:[.]\/)+/, '');

const readsFiles = [...shells, ...codeLanguages].filter(({ operands }) => operands === 'stop');

/**
 * Files that the command executes: as a program, as a script of a shell or another language, or as its input.
 */
function filesRun({ words, reads }: ShellCommand): readonly string[] {
  const at = words.findIndex(({ text }) => !prepares.test(text));
  const [program, ...rest] = at < 0 ? [] : words.slice(at);
  if (!program) return [];
  const call = callOf(words, readsFiles);
  const sourced = /^(?:[.]|source)$/.test(program.text) ? rest : [];
  return [program, ...sourced, ...(call ? [...call.words, ...reads] : [])].map(fileName);
}

/** `tee` writes its operands. */
const filesWritten = ({ words, writes }: ShellCommand): readonly string[] => {
  const tee = words.findIndex((word) => programOf(word) === 'tee');
  return [...writes, ...(tee < 0 ? [] : words.slice(tee + 1))].map(fileName);
};

/** Whether a file that may contain a value is executed afterwards (`echo … > f; sh f`). */
export function runsWrittenFile(template: Template): boolean {
  const carrying = new Set<ShellCommand>();
  const written = new Set<string>();
  let seen = false;
  for (const command of shellCommands(template)) {
    if (filesRun(command).some((file) => written.has(file))) return true;
    const own = [...command.words, ...command.given].some(({ value }) => value);
    const carries =
      own || (command.source !== null && carrying.has(command.source)) || (seen && isGroup(command));
    seen ||= own;
    if (!carries) continue;
    carrying.add(command);
    for (const file of filesWritten(command)) written.add(file);
  }
  return false;
}

const execFlag = /^--(?:json|stdin)/;

/** Programs of a pipeline receive their words unchanged; a shell line accepts plain words only. */
function execCommands(template: Template): readonly ShellCommand[] {
  const open = openTexts(template);
  return readStages(template)
    .filter(({ tokens }) => tokens[0].text === 'exec')
    .map(({ tokens }) => {
      const words = tokens.slice(1).map(({ text }): TemplateShellWord => {
        return { text, value: open.some((place) => text.includes(place)), variable: false };
      });
      const program = words.findIndex(
        ({ text }, at) => !execFlag.test(text) && words[at - 1]?.text !== '--stdin',
      );
      return { source: null, given: [], reads: [], writes: [], words: words.slice(Math.max(0, program)) };
    });
}

const argument = /^PUPPY_ARGS?_/;

/** One entry for each program that would read a value of this step as code. */
export function pastedCode(step: Step): readonly Pasted[] {
  const isOwn = (variable: string): boolean => argument.test(variable) || Object.hasOwn(step.env, variable);
  const commands =
    step.kind === 'run'
      ? shellCommands(step.shell, isOwn)
      : step.kind === 'pipeline'
        ? execCommands(step.pipeline)
        : [];
  const found = new Map<string, Pasted>();
  for (const command of commands) {
    const pasted = pastedIn(command);
    if (pasted) found.set(pasted.program, pasted);
  }
  return [...found.values()];
}
