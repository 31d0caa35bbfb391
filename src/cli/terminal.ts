import { errorLines } from '../contract/error-text.ts';
import type { AppError } from '../contract/errors.ts';
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

export const usageError = (message: string, hint?: string): CommandFailure =>
  new CommandFailure({ code: 'invalid_input', message, ...(hint ? { hint } : {}) }, exitUsage);

type Part = string | SafeText;

/** Text of one part, or of several, one below the other. */
export const shownText = (parts: Part | readonly Part[]): string =>
  (parts instanceof SafeText || typeof parts === 'string' ? [parts] : parts)
    .map((part) => (part instanceof SafeText ? part.text : printable(part)))
    .join('\n');

export function show(json: boolean, value: unknown, text: Part | readonly Part[]): void {
  process.stdout.write(`${json ? printableJson(JSON.stringify(value, null, 2)) : shownText(text)}\n`);
}

/** On standard error, so that standard output contains only results. */
export function showFailure(json: boolean, error: AppError, exitCode: number): void {
  const text = json
    ? printableJson(JSON.stringify({ error, exitCode }))
    : `kennel: ${printable(errorLines(error))}`;
  process.stderr.write(`${text}\n`);
}

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

const cancelled = (): CommandFailure =>
  new CommandFailure({ code: 'cancelled', message: 'Cancelled; nothing was changed.' });

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

/** Only `y` and `yes` agree. */
export const askYes = async (question: string): Promise<boolean> =>
  /^y(?:es)?$/i.test(await askInTerminal(`${question} [y/N] `));

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
    if ((await askSecret('Once more: ')) === first) return first;
    process.stderr.write('The two differ. Try again.\n');
  }
}

/** Resolves the flag value `-` to the text of standard input. */
export async function stdinFlag(value: string | undefined): Promise<string | undefined> {
  if (value !== '-') return value;
  const { text } = await import('node:stream/consumers');
  const read = (await text(process.stdin)).trim();
  if (read === '') throw usageError('Nothing came on standard input for "-".');
  return read;
}

/** Commander's value of `--flag [value]`; `true` if the value is missing. */
export type SecretFlag = string | true;

/**
 * Rejects a secret as a flag's value, where the process list and shell history show it (T18). `-` reads it
 * from standard input; the flag without a value prompts. `flag` is, for example, `--api-key`.
 */
export async function secretFlag(value: SecretFlag | undefined, flag: string): Promise<string | undefined> {
  if (value === undefined || value === '-') return stdinFlag(value);
  if (value !== true) {
    throw usageError(
      `A secret behind ${flag} shows in the process list and in the history of the shell, so it is not taken.`,
      `Give it on standard input: ${flag} - < FILE, or ${flag} alone to be asked for it. Replace the one you typed.`,
    );
  }
  if (!canAsk())
    throw usageError(
      `Kennel can ask for ${flag} only in a terminal.`,
      `Give it on standard input: ${flag} -`,
    );
  const typed = (await askSecret(`${flag.replace(/^--/, '').replace('-', ' ')}: `)).trim();
  if (typed === '') throw usageError(`Nothing was typed for ${flag}; nothing was changed.`);
  return typed;
}
