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

/** Follows the quotes of a pipeline; the text of the stage is kept as far as it was read. */
class PipelineReader {
  quote: Quote = 'bare';
  stage = '';

  read(text: string): void {
    let at = 0;
    while (at < text.length) {
      const character = text[at] ?? '';
      const length = this.#escaped(text, at) ? 2 : 1;
      if (length === 1) this.#turn(character);
      this.stage += text.slice(at, at + length);
      if (character === '|' && this.quote === 'bare') this.stage = '';
      at += length;
    }
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

const jsonFlag = /--(args-json|artifacts-json|metadata-json|output-schema|schema)(?![\s\S]*\s--[a-z])/;
const execProgram = /^\s*exec\s+[^\s'"-][^\s]*\s/;

/** `exec` gives a text to a shell with `--shell`, or when it stands alone and holds a blank. */
function reachesShell(stage: string, whole: string): boolean {
  if (!/^\s*exec\s/.test(stage)) return false;
  const plain = stage.replace(/--stdin[\s=]+\w+|--json/g, '');
  return /--shell\b/.test(whole) || readsTwice.test(whole) || !execProgram.test(plain);
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
  let text = '';
  for (const part of template) {
    const value = part.kind === 'text' ? part.text : placeText(part, scope);
    if (part.kind === 'text' || part.raw) {
      reader.read(value);
      text += value;
      continue;
    }
    if (reachesShell(reader.stage, whole) && !plainWord.test(value))
      return err(
        appError('invalid_input', 'A value of this pipeline would be read as a command by a shell.', {
          hint: 'Give the program its arguments one by one (exec program "…"), or use a run step.',
        }),
      );
    const data = jsonFlag.test(reader.stage) ? JSON.stringify(value).slice(1, -1) : value;
    text += quoted(data, reader.quote);
    // What stands there is one word more, whatever it is.
    reader.stage += 'x';
  }
  return ok(text);
}
