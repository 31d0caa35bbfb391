/**
 * Shell text with values in it (spec §4: no value becomes a command). A value is quoted for the place it stands in:
 * bare, in single or in double quotes. Where no quoting is safe (eval, `sh -c`, here-documents, backticks, arithmetic,
 * comments) only a plain word is let through, and anything else is refused.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { Scope, Template, TemplatePart } from './definition.ts';
import { placeText } from './template.ts';

type Frame = 'bare' | 'single' | 'double' | 'substitution' | 'bracket' | 'brace' | 'tick' | 'sum' | 'comment';

export const plainWord = /^[A-Za-z0-9_][A-Za-z0-9_./:@%+,-]*$/;
const number = /^-?\d+$/;
/** These read their words as commands a second time. */
export const readsTwice = /(^|[\s;&|(`])(eval|trap|ssh|su)(\s|$)|\b(ba|da|z|k|a)?sh\s+(-\w+\s+)*-\w*c\b/;

/** Follows the quotes of a shell text as far as a place in it. */
class ShellReader {
  readonly #frames: Frame[] = ['bare'];
  #lost = false;
  #wordStart = true;

  frame(): Frame | 'lost' {
    return this.#lost ? 'lost' : (this.#frames.at(-1) ?? 'bare');
  }

  place(): void {
    this.#wordStart = false;
  }

  read(text: string): void {
    let at = 0;
    while (at < text.length) at += this.#one(text, at);
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

  /** Quotes and brackets in here mean something else in every shell: after them nothing is sure. */
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
    // A here-document and the open patterns of a case inside a substitution change what quotes and brackets mean.
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

/** Null: the value cannot stand there. */
function quoted(value: string, frame: Frame | 'lost', twice: boolean): string | null {
  if (value.includes('\0')) return null;
  if (twice && frame !== 'lost') return plainWord.test(value) || number.test(value) ? value : null;
  switch (frame) {
    case 'bare':
    case 'substitution':
    case 'bracket':
      return number.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
    case 'single':
      return value.replaceAll("'", "'\\''");
    case 'double':
      return value.replace(/[\\"$`]/g, '\\$&');
    default:
      return plainWord.test(value) || number.test(value) ? value : null;
  }
}

const textOf = (template: Template): string =>
  template.map((part) => (part.kind === 'text' ? part.text : '')).join('');

const nameOf = (part: Exclude<TemplatePart, { kind: 'text' }>): string =>
  part.kind === 'arg' ? part.name : [part.ref.step, ...part.ref.path].join('.');

/** `invalid_input` for a value that cannot be quoted where it stands; nothing has run then. */
export function renderShell(template: Template, scope: Scope): Result<string, AppError> {
  const reader = new ShellReader();
  const twice = readsTwice.test(textOf(template));
  let text = '';
  for (const part of template) {
    if (part.kind === 'text') {
      reader.read(part.text);
      text += part.text;
      continue;
    }
    const value = placeText(part, scope);
    const safe = part.raw ? value : quoted(value, reader.frame(), twice);
    if (safe === null)
      return err(
        appError(
          'invalid_input',
          `The value of "${nameOf(part)}" cannot be quoted safely where the command uses it.`,
          {
            hint: 'Hand it over as a variable of the step: env: {VALUE: …} and "$VALUE" in the command.',
          },
        ),
      );
    if (part.raw) reader.read(value);
    else reader.place();
    text += safe;
  }
  return ok(text);
}

const safeFrames: ReadonlySet<string> = new Set(['bare', 'substitution', 'bracket', 'single', 'double']);

/** A place for a value where only a plain word can stand. */
export function hasUnsafePlace(template: Template): boolean {
  const reader = new ShellReader();
  const twice = readsTwice.test(textOf(template));
  return template.some((part) => {
    if (part.kind === 'text') reader.read(part.text);
    else if (!part.raw) return twice || !safeFrames.has(reader.frame());
    return false;
  });
}
