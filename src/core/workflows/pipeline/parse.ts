/**
 * Parses and prints pipeline text (spec §1): `parsePipeline(printPipeline(x))` keeps the words of x. Every
 * word has its position, for error messages. An empty stage is refused, at the end as well.
 */
import { err, ok, type Result } from '../../../contract/result.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

export interface Token {
  readonly text: string;
  /** UTF-16 offsets into the pipeline text; `end` is exclusive. */
  readonly at: number;
  readonly end: number;
}

/** The first token names the command. */
export interface Stage {
  readonly tokens: readonly [Token, ...Token[]];
}

export interface PipelineProblem {
  /** Counted from 1. */
  readonly stage: number;
  readonly at: number;
  readonly end: number;
  readonly message: HostText;
  /** `null` if the message says everything. */
  readonly hint: HostText | null;
}

export const maxPipelineLength = 100_000;
export const maxStages = 200;

const blank = /[ \t\r\n]/;
const plainWord = /^[A-Za-z0-9_.,:=@%+/{}<>!?*^~;&()[\]#-]+$/;

class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get char(): string {
    return this.text.charAt(this.at);
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  skipBlanks(): void {
    while (!this.done && blank.test(this.char)) this.at += 1;
  }

  /** Reads from the opening quote to after the closing one; `null` if none closes it. */
  quoted(): string | null {
    const quote = this.char;
    this.at += 1;
    let read = '';
    while (!this.done && this.char !== quote) {
      if (this.char === '\\') read += quote === '"' ? this.escapeInDouble() : this.escapeInSingle();
      else {
        read += this.char;
        this.at += 1;
      }
    }
    if (this.done) return null;
    this.at += 1;
    return read;
  }

  private escapeInDouble(): string {
    const next = this.text.charAt(this.at + 1);
    const escaped = next !== '' && '"\\$`\n'.includes(next);
    this.at += escaped ? 2 : 1;
    if (!escaped) return '\\';
    return next === '\n' ? '' : next;
  }

  private escapeInSingle(): string {
    const escaped = this.text.charAt(this.at + 1) === "'";
    this.at += escaped ? 2 : 1;
    return escaped ? "'" : '\\';
  }

  /** One word of joined quoted and bare parts; `openQuote`: the offset of an unclosed quote. */
  token(): Token | { readonly openQuote: number } {
    const at = this.at;
    let read = '';
    while (!this.done && this.char !== '|' && !blank.test(this.char)) {
      if (this.char === '"' || this.char === "'") {
        const openQuote = this.at;
        const part = this.quoted();
        if (part === null) return { openQuote };
        read += part;
        // POSIX idiom for a quote inside single quotes: 'it'\''s'.
        if (this.text.startsWith("\\'", this.at)) {
          read += "'";
          this.at += 2;
        }
      } else {
        read += this.char;
        this.at += 1;
      }
    }
    return { text: read, at, end: this.at };
  }
}

const problem = (stage: number, at: number, end: number, message: HostText, hint: HostText | null = null) =>
  err<PipelineProblem>({ stage, at, end, message, hint });

export function parsePipeline(text: string): Result<readonly Stage[], PipelineProblem> {
  if (text.length > maxPipelineLength) {
    return problem(1, 0, text.length, say('pipelines.tooLong', { n: maxPipelineLength }));
  }
  if (text.trim() === '') return problem(1, 0, text.length, say('pipelines.empty'));
  const scanner = new Scanner(text);
  const stages: Stage[] = [];
  for (;;) {
    const number = stages.length + 1;
    const tokens: Token[] = [];
    for (scanner.skipBlanks(); !scanner.done && scanner.char !== '|'; scanner.skipBlanks()) {
      const read = scanner.token();
      if ('openQuote' in read) {
        return problem(
          number,
          read.openQuote,
          text.length,
          say('pipelines.unclosedQuote'),
          say('pipelines.closeQuote'),
        );
      }
      tokens.push(read);
    }
    const [first, ...rest] = tokens;
    if (first === undefined) {
      return problem(
        number,
        scanner.at,
        scanner.at,
        say('pipelines.emptyStage'),
        say('pipelines.betweenCommands'),
      );
    }
    if (number > maxStages) {
      return problem(number, first.at, first.end, say('pipelines.tooManyStages', { n: maxStages }));
    }
    stages.push({ tokens: [first, ...rest] });
    if (scanner.done) return ok(stages);
    scanner.at += 1;
  }
}

/** Quotes a word so that this grammar reads it back as one word. */
export function quoteWord(word: string): string {
  if (plainWord.test(word)) return word;
  if (!/['\\]/.test(word)) return `'${word}'`;
  return `"${word.replace(/["\\$`]/g, '\\$&')}"`;
}

export const printPipeline = (
  stages: readonly { readonly tokens: readonly { readonly text: string }[] }[],
): string => stages.map(({ tokens }) => tokens.map(({ text }) => quoteWord(text)).join(' ')).join(' | ');

/** Lines and columns from 1, columns in UTF-16 units. */
export function placeInText(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
