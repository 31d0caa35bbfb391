/**
 * Pipeline text with values in it: a value is one piece of one argument, whatever is in it. Inside JSON it is escaped as
 * JSON, too; where `exec` hands a text to a shell, only a plain word is let through.
 */
import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { Scope, Template } from './definition.ts';
import { plainWord, readsTwice } from './shell-text.ts';
import { placeText, printTemplate } from './template.ts';

type Quote = 'bare' | 'single' | 'double';

/** Code units of a stage in which its command and program stand. */
const headLength = 4_096;
const longestFlag = 64;
const flags = /\s--([a-z][a-z-]*)/g;

/**
 * Follows the quotes of a pipeline. Of the stage it keeps the beginning and the latest flag, so that each place costs as
 * much as the text before it and no more (T25).
 */
class PipelineReader {
  quote: Quote = 'bare';
  /** The beginning of the stage. */
  head = '';
  /** The latest flag of the stage, without its dashes. */
  flag = '';
  #recent = '';

  read(text: string): void {
    let at = 0;
    let from = 0;
    while (at < text.length) {
      const character = text[at] ?? '';
      const length = this.#escaped(text, at) ? 2 : 1;
      if (length === 1) this.#turn(character);
      at += length;
      if (character !== '|' || this.quote !== 'bare') continue;
      from = at;
      this.head = '';
      this.flag = '';
      this.#recent = '';
    }
    this.#keep(text.slice(from));
  }

  /** A value stands here: one word more, whatever it is. */
  place(): void {
    this.#keep('x');
  }

  #keep(text: string): void {
    if (this.head.length < headLength) this.head += text.slice(0, headLength - this.head.length);
    this.#recent += text;
    for (const [, name = ''] of this.#recent.matchAll(flags)) this.flag = name;
    this.#recent = this.#recent.slice(-longestFlag);
  }

  #escaped(text: string, at: number): boolean {
    if (text[at] !== '\\') return false;
    return this.quote === 'double' || (this.quote === 'single' && text[at + 1] === "'");
  }

  #turn(character: string): void {
    if (this.quote === 'bare' && character === "'") this.quote = 'single';
    else if (this.quote === 'bare' && character === '"') this.quote = 'double';
    else if (this.quote === 'single' && character === "'") this.quote = 'bare';
    else if (this.quote === 'double' && character === '"') this.quote = 'bare';
  }
}

const jsonFlags: ReadonlySet<string> = new Set([
  ...['args-json', 'artifacts-json', 'metadata-json', 'output-schema', 'schema'],
]);
const execProgram = /^\s*exec\s+[^\s'"-][^\s]*\s/;

/** `exec` gives a text to a shell with `--shell`, or when it stands alone and holds a blank. */
function reachesShell(head: string, anywhere: boolean): boolean {
  if (!/^\s*exec\s/.test(head)) return false;
  const plain = head.replace(/--stdin[\s=]+\w+|--json/g, '');
  return anywhere || !execProgram.test(plain);
}

function quoted(value: string, quote: Quote): string {
  const escaped = value.replace(/[\\"$`]/g, '\\$&');
  if (quote === 'double') return escaped;
  // Closing the quotes and opening others joins into one argument again.
  return quote === 'single' ? `'"${escaped}"'` : `"${escaped}"`;
}

/** `invalid_input` for a value that a shell would read; nothing has run then. */
export function renderPipeline(template: Template, scope: Scope): Result<string, AppError> {
  const reader = new PipelineReader();
  const whole = printTemplate(template);
  const shellAnywhere = /--shell\b/.test(whole) || readsTwice(whole);
  let text = '';
  for (const part of template) {
    const value = part.kind === 'text' ? part.text : placeText(part, scope);
    if (part.kind === 'text' || part.raw) {
      reader.read(value);
      text += value;
      continue;
    }
    if (reachesShell(reader.head, shellAnywhere) && !plainWord.test(value))
      return err(
        appError('invalid_input', 'A value of this pipeline would be read as a command by a shell.', {
          hint: 'Give the program its arguments one by one (exec program "…"), or use a run step.',
        }),
      );
    const data = jsonFlags.has(reader.flag) ? JSON.stringify(value).slice(1, -1) : value;
    text += quoted(data, reader.quote);
    reader.place();
  }
  return ok(text);
}
