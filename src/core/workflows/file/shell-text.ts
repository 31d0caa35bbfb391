/**
 * Fills values into shell text; no value becomes a command (spec §4). A value is quoted for its context:
 * bare, in single or in double quotes. Where no quoting is safe (eval, `sh -c`, `| sh`, here-documents,
 * backticks, arithmetic, comments) only a plain word is allowed; directly after a dollar sign no value is.
 */

import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { say } from '../../../language/say.ts';
import type { Template, TemplatePart, TemplateScope } from './definition.ts';
import { feedsShell, runsWrittenFile } from './other-language.ts';
import { placeText } from './template.ts';

type Frame = 'bare' | 'single' | 'double' | 'substitution' | 'bracket' | 'brace' | 'tick' | 'sum' | 'comment';
type Place = Frame | 'lost' | 'dollar';

export const plainWord = /^[A-Za-z0-9_][A-Za-z0-9_./:@%+,-]*$/;
const number = /^-?\d+$/;

/** These run the words after them, in any position. */
const runsWords = /^(?:eval|trap|ssh|su)$/;
/** These do so only as the first word of a command, after words that only prepare it. */
const runsWordsFirst = /^(?:watch|parallel|rsh)$/;
const prepares = /^(?:\w+=.*|command|env|exec|nice|nohup|sudo|time)$/;
/** These run the text that they are given; a variable may name one of them. */
const runsText = /^(?:(?:ba|da|fi|mk|pdk|pw|rba|tc|ya|[ackrz])?sh|flock|script|sg|runuser)$/;
const variable = /^\$/;
/** The text follows a flag `-c`, alone or combined (`-ce`, `-ec`), or is the input. */
const textFlag = /^(?:-\w*c\w*|--command(?:=.*)?|<<<.*)$/;
const lastFlag = /^-\w*c$/;

/** Program name of a word, without path and quotes. */
const programName = (word: string): string =>
  (/^["']*([^"']*)/.exec(word)?.[1] ?? '').split('/').at(-1) ?? '';

const shellName = /(?:^|[\s(){}`"'/])(?:(?:ba|da|fi|mk|z|k|a)?sh|source|[.])(?=[\s"'])/;

/** A shell that reads the output of a substitution: `sh <(echo …)`, `. <(echo …)`, `bash < <(echo …)`. */
const readsSubstitution = (text: string): boolean =>
  text.split(/[;&|\n]/).some((command) => {
    const shell = shellName.exec(command);
    return shell !== null && command.includes('<(', shell.index);
  });
/** `env -S` splits one text into words. */
const splitFlag = /^(?:-\w*S.*|--split-string.*)$/;

/** Whether some of its words are read as commands a second time. */
export function readsTwice(text: string): boolean {
  if (readsSubstitution(text)) return true;
  return text
    .replaceAll('\\\n', ' ')
    .split(/[;&|\n(`]/)
    .some((command) => {
      const names = command.trim().split(/\s+/).map(programName);
      const behind = (program: RegExp, flag: RegExp): boolean => {
        const at = names.findIndex((name) => program.test(name));
        return at >= 0 && names.slice(at + 1).some((name) => flag.test(name));
      };
      return (
        names.some((name) => runsWords.test(name)) ||
        runsWordsFirst.test(names.find((name) => !prepares.test(name)) ?? '') ||
        behind(runsText, textFlag) ||
        behind(/^env$/, splitFlag) ||
        behind(variable, lastFlag)
      );
    });
}

/** Tracks the quotes of a shell text up to a position. */
class ShellReader {
  readonly #frames: Frame[] = ['bare'];
  #lost = false;
  #wordStart = true;
  /** Directly after a dollar sign, a value would become a variable or a command (`$` and `(id)`). */
  #dollar = false;

  frame(): Place {
    const frame = this.#frames.at(-1) ?? 'bare';
    if (this.#dollar && frame !== 'single') return 'dollar';
    return this.#lost ? 'lost' : frame;
  }

  place(): void {
    this.#wordStart = false;
    this.#dollar = false;
  }

  read(text: string): void {
    let at = 0;
    while (at < text.length) {
      const length = this.#one(text, at);
      this.#dollar = length === 1 && text[at] === '$';
      at += length;
    }
  }

  #push(frame: Frame, length: number): number {
    this.#frames.push(frame);
    this.#wordStart = frame === 'substitution' || frame === 'bracket';
    return length;
  }

  #pop(): number {
    if (this.#frames.length > 1) this.#frames.pop();
    this.#wordStart = false;
    return 1;
  }

  #one(text: string, at: number): number {
    const character = text[at] ?? '';
    switch (this.#frames.at(-1)) {
      case 'single':
        return character === "'" ? this.#pop() : 1;
      case 'comment':
        return this.#inComment(character);
      case 'double':
        return this.#inDouble(text, at, character);
      case 'tick':
        return this.#inTick(character);
      case 'brace':
      case 'sum':
        return this.#inUnsafe(text, at, character);
      default:
        return this.#bare(text, at, character);
    }
  }

  #inComment(character: string): number {
    if (character !== '\n') return 1;
    this.#pop();
    this.#wordStart = true;
    return 1;
  }

  #inTick(character: string): number {
    if (character === '\\') return 2;
    return character === '`' ? this.#pop() : 1;
  }

  /** In these contexts shells read quotes and brackets differently, so the state after them is unknown. */
  #inUnsafe(text: string, at: number, character: string): number {
    if (this.#frames.at(-1) === 'brace' && character === '}') return this.#pop();
    if (this.#frames.at(-1) === 'sum' && text.startsWith('))', at)) return this.#pop() + 1;
    if (/['"`(){}\\]/.test(character)) this.#lost = true;
    return 1;
  }

  #opens(text: string, at: number): number {
    if (text.startsWith('$((', at)) return this.#push('sum', 3);
    if (text.startsWith('$(', at)) return this.#push('substitution', 2);
    if (text.startsWith('${', at)) return this.#push('brace', 2);
    return text[at] === '`' ? this.#push('tick', 1) : 0;
  }

  #inDouble(text: string, at: number, character: string): number {
    if (character === '\\') return 2;
    if (character === '"') return this.#pop();
    return this.#opens(text, at) || 1;
  }

  #bare(text: string, at: number, character: string): number {
    if (character === '\\') return 2;
    const opened = this.#opens(text, at);
    if (opened > 0) return opened;
    if (text.startsWith("$'", at)) this.#lost = true;
    if (character === "'") return this.#push('single', 1);
    if (character === '"') return this.#push('double', 1);
    if (character === '(') return this.#push('bracket', 1);
    if (character === ')') return this.#closeBracket();
    if (character === '#' && this.#wordStart) return this.#push('comment', 1);
    // A here-document, and the open patterns of a `case` inside a substitution, change the meaning of quotes
    // and brackets.
    if (text.startsWith('<<', at) && !text.startsWith('<<<', at) && text[at - 1] !== '<') this.#lost = true;
    if (this.#wordStart && this.#frames.length > 1 && /^case\s/.test(text.slice(at, at + 5)))
      this.#lost = true;
    this.#wordStart = /[\s;&|<>]/.test(character);
    return 1;
  }

  #closeBracket(): number {
    const frame = this.#frames.at(-1);
    if (frame === 'substitution') return this.#pop();
    if (frame === 'bracket') this.#pop();
    this.#wordStart = true;
    return 1;
  }
}

const partText = (part: TemplatePart | undefined): string => (part?.kind === 'text' ? part.text : '');
const textOf = (template: Template): string => template.map(partText).join('');

/** Whether this shell or another one reads the result as commands again. */
const isReadAgain = (template: Template): boolean =>
  readsTwice(textOf(template)) || feedsShell(template) || runsWrittenFile(template);

/**
 * `null` if the value is not allowed there. `next`: the text after it, because digits before `<` or `>` name
 * a file descriptor.
 */
function quoted(value: string, frame: Place, twice: boolean, next: string): string | null {
  if (value.includes('\0') || frame === 'dollar') return null;
  if (twice && frame !== 'lost') return plainWord.test(value) || number.test(value) ? value : null;
  switch (frame) {
    case 'bare':
    case 'substitution':
    case 'bracket':
      return number.test(value) && !/^[<>]/.test(next) ? value : `'${value.replaceAll("'", "'\\''")}'`;
    case 'single':
      return value.replaceAll("'", "'\\''");
    case 'double':
      return value.replace(/[\\"$`]/g, '\\$&');
    default:
      return plainWord.test(value) || number.test(value) ? value : null;
  }
}

const nameOf = (part: Exclude<TemplatePart, { kind: 'text' }>): string =>
  part.kind === 'arg' ? part.name : [part.ref.step, ...part.ref.path].join('.');

/** `invalid_input` for a value that cannot be quoted in its context; nothing has run by then. */
export function renderShell(template: Template, scope: TemplateScope): Result<string, AppError> {
  const reader = new ShellReader();
  const twice = isReadAgain(template);
  let text = '';
  for (const [index, part] of template.entries()) {
    if (part.kind === 'text') {
      reader.read(part.text);
      text += part.text;
      continue;
    }
    const value = placeText(part, scope);
    const safe = part.raw ? value : quoted(value, reader.frame(), twice, partText(template[index + 1]));
    if (safe === null)
      return err(
        appError('invalid_input', say('workflows.valueNotQuotable', { name: nameOf(part) }), {
          hint:
            reader.frame() === 'dollar' ? say('workflows.escapeDollar') : say('workflows.useStepVariable'),
        }),
      );
    if (part.raw) reader.read(value);
    else reader.place();
    text += safe;
  }
  return ok(text);
}

const safeFrames: ReadonlySet<string> = new Set(['bare', 'substitution', 'bracket', 'single', 'double']);

/**
 * First placeholder that does not accept every value: `dollar` accepts none, `plain` only a plain word;
 * `null` if none is restricted.
 */
export function unsafePlace(template: Template): 'dollar' | 'plain' | null {
  const reader = new ShellReader();
  const twice = isReadAgain(template);
  for (const part of template) {
    if (part.kind === 'text') reader.read(part.text);
    if (part.kind === 'text' || part.raw) continue;
    const place = reader.frame();
    if (place === 'dollar') return 'dollar';
    if (twice || !safeFrames.has(place)) return 'plain';
    reader.place();
  }
  return null;
}
