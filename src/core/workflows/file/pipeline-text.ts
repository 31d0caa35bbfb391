/**
 * Fills values into pipeline text: each value is one piece of one argument. Inside a JSON string it is
 * escaped as JSON; elsewhere in JSON it is one value. If `exec` passes a text to a shell, only plain words
 * are allowed.
 */

import { type AppError, appError } from '../../../contract/errors.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostMessage } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { parseExact } from '../pipeline/exact-json.ts';
import type { Template, TemplateScope } from './definition.ts';
import { plainWord, readsTwice } from './shell-text.ts';
import { placeText, printTemplate } from './template.ts';

type Quote = 'bare' | 'single' | 'double';

/** Code units of a stage within which its command and program are expected. */
const headLength = 4_096;
const flag = /--([a-z][a-z-]*)/y;

/**
 * Tracks the quotes of a pipeline and of the JSON in it. It keeps only the start of the stage and the latest
 * flag, so each placeholder costs time linear in the text before it (T25).
 */
class PipelineReader {
  quote: Quote = 'bare';
  /** Start of the stage. */
  head = '';
  /** Latest flag of the stage, without its dashes. */
  flag = '';
  /** Inside a string of the JSON that the flag takes. */
  inJsonText = false;
  #jsonEscape = false;
  #behindBlank = false;

  read(text: string): void {
    let at = 0;
    let from = 0;
    while (at < text.length) {
      const stage = text[at] === '|' && this.quote === 'bare';
      at += this.#one(text, at);
      if (!stage) continue;
      from = at;
      this.head = '';
      this.#take('');
    }
    this.#keep(text.slice(from));
  }

  /** Records a value: one more word, whatever its content. */
  place(): void {
    this.#keep('x');
    this.#behindBlank = false;
  }

  #keep(text: string): void {
    if (this.head.length < headLength) this.head += text.slice(0, headLength - this.head.length);
  }

  #take(name: string): void {
    this.flag = name;
    this.inJsonText = false;
    this.#jsonEscape = false;
  }

  #one(text: string, at: number): number {
    const character = text[at] ?? '';
    flag.lastIndex = at;
    const named = this.quote === 'bare' && this.#behindBlank ? flag.exec(text) : null;
    if (named) this.#take(named[1] ?? '');
    this.#behindBlank = this.quote === 'bare' && /\s/.test(character);
    if (this.#escaped(text, at)) {
      const next = text[at + 1] ?? '';
      for (const each of this.quote === 'double' && !'"\\$`\n'.includes(next) ? `\\${next}` : next)
        this.#json(each);
      return 2;
    }
    const before = this.quote;
    this.#turn(character);
    if (this.quote === before) this.#json(character);
    return 1;
  }

  #json(character: string): void {
    if (this.#jsonEscape) this.#jsonEscape = false;
    else if (character === '"') this.inJsonText = !this.inJsonText;
    else this.#jsonEscape = this.inJsonText && character === '\\';
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
  'args-json',
  'artifacts-json',
  'metadata-json',
  'output-schema',
  'schema',
]);
const execProgram = /^\s*exec\s+[^\s'"-][^\s]*\s/;

/** `exec` passes a text to a shell with `--shell`, or if it is a single word that contains a blank. */
function reachesShell(head: string, anywhere: boolean): boolean {
  if (!/^\s*exec\s/.test(head)) return false;
  const plain = head.replace(/--stdin[\s=]+\w+|--json/g, '');
  return anywhere || !execProgram.test(plain);
}

function quoted(value: string, quote: Quote): string {
  const escaped = value.replace(/[\\"$`]/g, '\\$&');
  if (quote === 'double') return escaped;
  // Closing the quotes and opening others still forms one argument.
  return quote === 'single' ? `'"${escaped}"'` : `"${escaped}"`;
}

/**
 * The value inside the JSON of a flag: part of a string, or one whole JSON value; `null` if it is not exactly
 * one.
 */
function inJson(value: string, { inJsonText }: PipelineReader): string | null {
  if (inJsonText) return JSON.stringify(value).slice(1, -1);
  return parseExact(value).ok ? value : null;
}

const reachesShellAnywhere = (whole: string): boolean => /--shell\b/.test(whole) || readsTwice(whole);

/** Whether a shell reads one of the values, so that only a plain word is allowed. */
export function hasShellPlace(template: Template): boolean {
  const reader = new PipelineReader();
  const anywhere = reachesShellAnywhere(printTemplate(template));
  for (const part of template) {
    if (part.kind === 'text') reader.read(part.text);
    else if (!part.raw && reachesShell(reader.head, anywhere)) return true;
    else reader.place();
  }
  return false;
}

const refused = (message: HostMessage, hint: HostMessage): Result<never, AppError> =>
  err(appError('invalid_input', message, { hint }));

/**
 * `invalid_input` for a value that a shell would read, or that would add to JSON; nothing has run by then.
 */
export function renderPipeline(template: Template, scope: TemplateScope): Result<string, AppError> {
  const reader = new PipelineReader();
  const shellAnywhere = reachesShellAnywhere(printTemplate(template));
  let text = '';
  for (const part of template) {
    const value = part.kind === 'text' ? part.text : placeText(part, scope);
    if (part.kind === 'text' || part.raw) {
      reader.read(value);
      text += value;
      continue;
    }
    if (reachesShell(reader.head, shellAnywhere) && !plainWord.test(value))
      return refused(say('pipelines.valueIsCommand'), say('pipelines.argumentsOneByOne'));
    const data = jsonFlags.has(reader.flag) ? inJson(value, reader) : value;
    if (data === null)
      return refused(say('pipelines.valueNoJson', { flag: reader.flag }), say('pipelines.quoteJsonText'));
    text += quoted(data, reader.quote);
    reader.place();
  }
  return ok(text);
}
