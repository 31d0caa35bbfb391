import { type AppError, type ErrorCode, textError } from '../contract/errors.ts';
import { type CliKey, type CliValues, cliMessage } from '../language/cli-message.ts';
import type { HostText } from '../language/host-message.ts';
import { copy, shownError } from './copy.ts';
import { jsonText } from './json-text.ts';
import { SafeText } from './table.ts';
import { printable, printableJson } from './visible-text.ts';

/** Exit codes of spec §8. */
export const exitOk = 0;
export const exitFailed = 1;
export const exitUsage = 2;

/** Ends a command with an error message; caught in one place. */
export class CommandFailure extends Error {
  readonly error: AppError;
  readonly exitCode: number;

  constructor(error: AppError, exitCode = errorExitCode(error)) {
    super(error.message);
    this.name = 'CommandFailure';
    this.error = error;
    this.exitCode = exitCode;
  }
}

const usageCodes: readonly string[] = ['invalid_input', 'not_found', 'conflict', 'unsupported', 'too_large'];

export const errorExitCode = (error: AppError): number =>
  usageCodes.includes(error.code) ? exitUsage : exitFailed;

const refusalCodes: readonly string[] = [
  ...usageCodes,
  'forbidden',
  'unauthenticated',
  'untrusted',
  'rate_limited',
];

/** The host refused an answer to a question: exit code 2, or 1 after a failure. */
export const refusedAnswer = (error: AppError): CommandFailure =>
  new CommandFailure(error, refusalCodes.includes(error.code) ? exitUsage : exitFailed);

interface FailureDetails<Help> {
  /** Key of the next step. Its slots take the same values. */
  readonly help?: Help | undefined;
  readonly exitCode?: number | undefined;
}

type Details<Key, Help> = keyof CliValues<Key | Help> extends never
  ? [values?: Readonly<Record<string, never>>, details?: FailureDetails<Help>]
  : [values: CliValues<Key> & CliValues<Help>, details?: FailureDetails<Help>];

/** Ends a command with a text of the catalog: `commandFailure('cancelled', 'cliTerminal.cancelled')`. */
export function commandFailure<Key extends CliKey, Help extends CliKey = never>(
  code: ErrorCode,
  key: Key,
  ...[values, details]: Details<Key, Help>
): CommandFailure {
  const speak = cliMessage as (key: CliKey, values?: object) => HostText;
  const { help, exitCode } = details ?? {};
  const hint = help === undefined ? undefined : speak(help, values);
  return new CommandFailure(textError(code, speak(key, values), { hint }), exitCode);
}

/** The command line is wrong. */
export const usageError = (message: HostText, hint?: HostText): CommandFailure =>
  new CommandFailure(textError('invalid_input', message, { hint: hint || undefined }), exitUsage);

type Part = string | SafeText;

/** Text of one part, or of several, one below the other. */
export const shownText = (parts: Part | readonly Part[]): string =>
  (parts instanceof SafeText || typeof parts === 'string' ? [parts] : parts)
    .map((part) => (part instanceof SafeText ? part.text : printable(part)))
    .join('\n');

export function show(json: boolean, value: unknown, text: Part | readonly Part[]): void {
  process.stdout.write(`${json ? jsonText(value, 2) : shownText(text)}\n`);
}

/** On standard error, so that standard output contains only results. */
export function showFailure(json: boolean, error: AppError, exitCode: number): void {
  const text = json
    ? printableJson(JSON.stringify({ error, exitCode }))
    : `kennel: ${printable(shownError(error))}`;
  process.stderr.write(`${text}\n`);
}

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

const cancelled = (): CommandFailure => commandFailure('cancelled', 'cliTerminal.cancelled');

/** Ctrl-C and the end of input end the command. */
export async function askInTerminal(question: string): Promise<string> {
  // Loaded on demand, because few commands ask.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => reject(cancelled()));
    lines.question(question, (answer) => {
      resolve(answer.trim());
      lines.close();
    });
  });
}

/** Only `y` and `yes`, or `j` and `ja`, agree. */
export const askYes = async (question: string): Promise<boolean> =>
  /^(?:y|yes|j|ja)$/i.test(await askInTerminal(copy('cliTerminal.yesOrNo', { question })));

/** Like `askInTerminal`, without echo. */
export function askSecret(question: string): Promise<string> {
  // Before the question, so that nothing typed after it is echoed.
  process.stdin.setRawMode(true);
  process.stdout.write(question);
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (): void => {
      process.stdin.setRawMode(false);
      process.stdin.pause();
      process.stdin.off('data', onData);
      process.stdout.write('\n');
    };
    const onData = (chunk: Buffer): void => {
      for (const key of chunk.toString('utf8')) {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          end();
          resolve(typed);
          return;
        }
        if (key === '\u0003') {
          end();
          reject(cancelled());
          return;
        }
        typed = key === '\u007f' || key === '\b' ? [...typed].slice(0, -1).join('') : typed + key;
      }
    };
    process.stdin.resume();
    process.stdin.on('data', onData);
  });
}

/** Prompts twice, because the input is not visible; `null` if it is empty. */
export async function askNewPassphrase(question: string): Promise<string | null> {
  for (;;) {
    const first = await askSecret(question);
    if (first === '') return null;
    if ((await askSecret(copy('cliTerminal.onceMore'))) === first) return first;
    process.stderr.write(`${copy('cliTerminal.passphrasesDiffer')}\n`);
  }
}

/** Resolves the flag value `-` to the text of standard input. */
export async function stdinFlag(value: string | undefined): Promise<string | undefined> {
  if (value !== '-') return value;
  const { text } = await import('node:stream/consumers');
  const read = (await text(process.stdin)).trim();
  if (read === '') throw commandFailure('invalid_input', 'cliTerminal.emptyInput');
  return read;
}

/** Commander's value of `--flag [value]`; `true` if the value is missing. */
export type SecretFlag = string | true;

/** Rejects a secret in the command line, where the process list and shell history show it (T18). */
export function refuseTypedSecret(value: SecretFlag | undefined, flag: string): void {
  if (value === undefined || value === true || value === '-') return;
  throw commandFailure(
    'invalid_input',
    'cliTerminal.secretInArguments',
    { flag },
    { help: 'cliTerminal.giveOnInput' },
  );
}

/**
 * A secret: `-` reads it from standard input; the flag without a value prompts. `flag` is, for example,
 * `--api-key`, or the command whose argument is the secret.
 */
export async function secretFlag(
  value: SecretFlag | undefined,
  flag: string,
  question = `${flag.replace(/^--/, '').replace('-', ' ')}: `,
): Promise<string | undefined> {
  refuseTypedSecret(value, flag);
  if (value !== true) return stdinFlag(value);
  if (!canAsk())
    throw commandFailure(
      'invalid_input',
      'cliTerminal.askForFlagInTerminal',
      { flag },
      { help: 'cliTerminal.giveOnInputAlone' },
    );
  const typed = (await askSecret(question)).trim();
  if (typed === '') throw commandFailure('invalid_input', 'cliTerminal.emptyFlag', { flag });
  return typed;
}
