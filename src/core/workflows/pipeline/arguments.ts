/**
 * Checks the words of a stage against the declaration of its command. Unknown flags, missing values and wrong
 * types are refused with position and suggestion before anything runs. If a flag is given twice, the last one
 * counts.
 */
import { didYouMean } from '../../../contract/did-you-mean.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import type { Flag, PipelineCommand, StageArguments } from './command.ts';
import { isExactRecord, type JsonValue, parseExact } from './exact-json.ts';
import type { PipelineProblem, Stage, Token } from './parse.ts';

export interface ReadOptions {
  /** Words that get their value later (`${arg}`): their type is not checked yet. */
  readonly isDeferred: (word: string) => boolean;
  /** An agent wrote the pipeline: operator-only flags are refused. */
  readonly byAgent: boolean;
}

export interface ReadArguments {
  readonly args: StageArguments;
  /** Positional words with their positions. */
  readonly words: readonly Token[];
  readonly problems: readonly PipelineProblem[];
}

class FlagValues implements StageArguments {
  readonly words: readonly string[];
  private readonly values: ReadonlyMap<string, JsonValue>;

  constructor(values: ReadonlyMap<string, JsonValue>, words: readonly string[]) {
    this.values = values;
    this.words = words;
  }

  has(flag: string): boolean {
    return this.values.has(flag) && this.values.get(flag) !== false;
  }

  text(flag: string): string | null {
    const value = this.values.get(flag);
    return typeof value === 'string' ? value : null;
  }

  number(flag: string): number | null {
    const value = this.values.get(flag);
    return typeof value === 'number' ? value : null;
  }

  json(flag: string): JsonValue | undefined {
    return this.values.get(flag);
  }

  record(flag: string): { readonly [key: string]: JsonValue } | null {
    const value = this.values.get(flag);
    return isExactRecord(value) ? value : null;
  }
}

/** Converts the text to the type of the flag; `must` completes the error sentence. */
function typed(flag: Flag, text: string): { readonly value: JsonValue } | { readonly must: HostText } {
  switch (flag.type) {
    case 'text':
      return { value: text };
    case 'switch':
      if (text === 'true' || text === 'false') return { value: text === 'true' };
      return { must: say('pipelines.mustSwitch') };
    case 'count': {
      const value = Number(text);
      if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return { value };
      return { must: say('pipelines.mustCount') };
    }
    case 'number': {
      const value = Number(text);
      return text.trim() !== '' && Number.isFinite(value) ? { value } : { must: say('pipelines.mustNumber') };
    }
    case 'choice':
      if (flag.choices?.includes(text)) return { value: text };
      return { must: say('pipelines.mustChoice', { choices: flag.choices?.join(', ') ?? '' }) };
    case 'json':
    case 'record': {
      const read = parseExact(text);
      if (!read.ok) return { must: say('pipelines.mustJson', { why: read.error }) };
      if (flag.type === 'record' && !isExactRecord(read.value)) return { must: say('pipelines.mustRecord') };
      return { value: read.value };
    }
  }
}

class Reader {
  readonly values = new Map<string, JsonValue>();
  readonly words: Token[] = [];
  readonly problems: PipelineProblem[] = [];
  private readonly command: PipelineCommand;
  private readonly number: number;
  private readonly options: ReadOptions;

  constructor(command: PipelineCommand, number: number, options: ReadOptions) {
    this.command = command;
    this.number = number;
    this.options = options;
  }

  note(token: Token, message: HostText, hint: HostText | null = null): void {
    this.problems.push({ stage: this.number, at: token.at, end: token.end, message, hint });
  }

  read(tokens: readonly Token[]): void {
    let onlyWords = false;
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[index];
      if (token === undefined) break;
      if (!onlyWords && token.text === '--') onlyWords = true;
      else if (!onlyWords && token.text.startsWith('--')) index += this.flag(token, tokens[index + 1]);
      else {
        this.words.push(token);
        onlyWords ||= this.command.flagsFirst === true;
      }
    }
  }

  /** Number of words that the flag took after itself. */
  private flag(token: Token, next: Token | undefined): number {
    const [, name = '', given] = /^--([^=]*)(?:=(.*))?$/s.exec(token.text) ?? [];
    const flag = this.command.flags.find((each) => each.name === name);
    if (!flag) {
      this.unknown(token, name);
      return 0;
    }
    if (flag.ownerOnly && this.options.byAgent) {
      this.note(token, say('pipelines.ownerFlag', { flag: name }), say('pipelines.leaveOutFlag'));
    }
    if (given !== undefined) this.take(flag, token, given);
    else if (flag.type === 'switch') this.values.set(name, true);
    else if (next === undefined || next.text.startsWith('--')) {
      this.note(
        token,
        say('pipelines.flagNeedsValue', { flag: name }),
        say('pipelines.writeFlagValue', { flag: name }),
      );
      return 0;
    } else {
      this.take(flag, next, next.text);
      return 1;
    }
    return 0;
  }

  private unknown(token: Token, name: string): void {
    const names = this.command.flags.map((each) => each.name);
    const near = didYouMean(name, names);
    const known =
      names.length === 0
        ? say('pipelines.noFlags')
        : say('pipelines.knownFlags', { flags: names.map((each) => `--${each}`).join(', ') });
    const hint =
      near === null
        ? say('host.twoSentences', { first: known, second: say('pipelines.dashWord') })
        : say('host.didYouMean', { name: `--${near}` });
    this.note(token, say('pipelines.unknownFlag', { command: this.command.name, flag: name }), hint);
  }

  private take(flag: Flag, token: Token, text: string): void {
    if (this.options.isDeferred(text)) {
      this.values.set(flag.name, text);
      return;
    }
    const read = typed(flag, text);
    if ('value' in read) this.values.set(flag.name, read.value);
    else {
      const values = { flag: flag.name, command: this.command.name, what: read.must };
      this.note(token, say('pipelines.flagMust', values));
    }
  }

  finish(name: Token): void {
    for (const flag of this.command.flags) {
      const noted = this.problems.some(({ message }) => englishText(message).startsWith(`--${flag.name} `));
      if (flag.required && !this.values.has(flag.name) && !noted) {
        const { name: needed, description } = flag;
        this.note(
          name,
          say('pipelines.needsFlag', { command: this.command.name, flag: needed, description }),
        );
      }
    }
    const { min, max } = this.command.words ?? { min: 0, max: 0 };
    const extra = this.words[max];
    if (extra !== undefined) {
      this.note(
        extra,
        max === 0
          ? say('pipelines.noWords', { command: this.command.name })
          : say('pipelines.fewWords', { command: this.command.name, n: max }),
        say('pipelines.quoteWords'),
      );
    }
    if (this.words.length < min && this.command.words) {
      this.note(
        name,
        say('pipelines.needsWords', {
          command: this.command.name,
          what: this.command.words.name,
          description: this.command.words.description,
        }),
      );
    }
  }
}

/** `number`: of the stage, counted from 1. */
export function readArguments(
  command: PipelineCommand,
  stage: Stage,
  number: number,
  options: ReadOptions,
): ReadArguments {
  const [name, ...tokens] = stage.tokens;
  const reader = new Reader(command, number, options);
  reader.read(tokens);
  reader.finish(name);
  return {
    args: new FlagValues(
      reader.values,
      reader.words.map(({ text }) => text),
    ),
    words: reader.words,
    problems: reader.problems,
  };
}
