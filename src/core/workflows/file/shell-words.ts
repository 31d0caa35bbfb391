/**
 * Splits a shell text into commands and words, and marks the words that contain values. It follows quotes,
 * substitutions and pipes, expands nothing, and reads each character once (T25).
 */
import type { Template } from './definition.ts';

export interface TemplateShellWord {
  /** Without its quotes; a NUL stands for each value. */
  readonly text: string;
  /** Contains a value of the workflow. */
  readonly value: boolean;
  /** Contains a variable that holds a value of the workflow. */
  readonly variable: boolean;
}

export interface ShellCommand {
  readonly words: readonly TemplateShellWord[];
  /** Here-strings (`<<< text`). */
  readonly given: readonly TemplateShellWord[];
  /** Command whose output it reads. */
  readonly source: ShellCommand | null;
  /** Files of its redirections. */
  readonly reads: readonly TemplateShellWord[];
  readonly writes: readonly TemplateShellWord[];
}

interface OpenWord {
  text: string;
  value: boolean;
  variable: boolean;
}

interface OpenCommand {
  readonly words: OpenWord[];
  readonly given: OpenWord[];
  readonly source: OpenCommand | null;
  readonly reads: OpenWord[];
  readonly writes: OpenWord[];
}

const valueMark = '\0';
/** Deeper substitutions are read as part of the enclosing word. */
const maxDepth = 50;
const name = /\$\{?([A-Za-z_]\w*)/y;
const redirect = /\d*[<>]+[&|]?/y;

class WordReader {
  readonly commands: OpenCommand[] = [];
  readonly #text: string;
  readonly #isOwn: (variable: string) => boolean;
  /** Current word, and the words whose substitutions contain it. */
  readonly #open: OpenWord[] = [];
  #at = 0;

  constructor(text: string, isOwn: (variable: string) => boolean) {
    this.#text = text;
    this.#isOwn = isOwn;
  }

  #matches(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #begin(source: OpenCommand | null): OpenCommand {
    const command: OpenCommand = { words: [], given: [], source, reads: [], writes: [] };
    this.commands.push(command);
    return command;
  }

  /** Reads up to and including `closer`; with an empty `closer`, to the end. */
  read(closer: '' | ')' | '`'): void {
    let command = this.#begin(null);
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? '';
      if (character === closer) {
        this.#at += 1;
        return;
      }
      if (/\s/.test(character) && character !== '\n') this.#at += 1;
      else if (this.#text.startsWith('\\\n', this.#at)) this.#at += 2;
      else if (character === '#') this.#comment();
      else if (this.#matches(redirect)) this.#redirect(command, closer);
      else if (/[;&|\n()]/.test(character)) command = this.#next(command);
      else command.words.push(this.#word(closer));
    }
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** The target of a redirection is not a word of the command. */
  #redirect(command: OpenCommand, closer: string): void {
    const [sign = ' '] = this.#matches(redirect) ?? [];
    this.#at += sign.length;
    while (/[ \t]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    const word = this.#word(closer);
    if (sign.endsWith('<<<')) command.given.push(word);
    else if (sign.includes('>')) command.writes.push(word);
    else command.reads.push(word);
  }

  #next(command: OpenCommand): OpenCommand {
    const character = this.#text[this.#at];
    const pipe = character === '|' && this.#text[this.#at + 1] !== '|';
    this.#at += character === '|' && !pipe ? 2 : 1;
    return this.#begin(pipe ? command : null);
  }

  #word(closer: string): OpenWord {
    const word: OpenWord = { text: '', value: false, variable: false };
    this.#open.push(word);
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? '';
      if (/[\s;&|()<>]/.test(character) || character === closer) break;
      if (character === "'") this.#single(word);
      else if (character === '"') this.#double(word);
      else this.#one(word);
    }
    this.#open.pop();
    return word;
  }

  #single(word: OpenWord): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    const inside = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end + 1;
    word.text += inside;
    if (inside.includes(valueMark)) for (const each of this.#open) each.value = true;
  }

  #double(word: OpenWord): void {
    this.#at += 1;
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') this.#one(word);
    this.#at += 1;
  }

  /** Reads one character that is no quote, or a whole substitution. */
  #one(word: OpenWord): void {
    const character = this.#text[this.#at] ?? '';
    const variable = this.#matches(name)?.[1];
    if (variable !== undefined && this.#isOwn(variable)) for (const each of this.#open) each.variable = true;
    if (character === valueMark) for (const each of this.#open) each.value = true;
    const opens = this.#text.startsWith('$(', this.#at) ? 2 : character === '`' ? 1 : 0;
    if (opens > 0 && this.#open.length < maxDepth) {
      this.#at += opens;
      this.read(opens === 2 ? ')' : '`');
      return;
    }
    const escaped = character === '\\' && this.#at + 1 < this.#text.length;
    word.text += escaped ? this.#text[this.#at + 1] : character;
    this.#at += escaped ? 2 : 1;
  }
}

/** `isOwn`: whether the step sets the variable. */
export function shellCommands(
  template: Template,
  isOwn: (variable: string) => boolean = () => false,
): readonly ShellCommand[] {
  const text = template.map((part) => (part.kind === 'text' ? part.text : valueMark)).join('');
  const reader = new WordReader(text, isOwn);
  // An unmatched closing bracket ends nothing.
  reader.read('');
  return reader.commands;
}
