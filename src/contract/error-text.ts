/**
 * Errors as text, the same everywhere: the message with its place in parentheses, and the hint on a separate
 * line.
 */
import type { AppError } from './errors.ts';

type Said = Pick<AppError, 'message' | 'where' | 'hint'>;

/** Names of request members, which mean nothing to users. */
const members: readonly string[] = ['who', 'space', 'channel', 'index', 'files', 'threadRootId'];

/** Returns true if an error names a place that users know. */
export const isPlaced = ({ where }: Pick<AppError, 'where'>): boolean => !!where && !members.includes(where);

/** One sentence: "The file agent.yml is missing (/home/a/agent.yml)." */
export function errorSentence({ message, where }: Said): string {
  if (!isPlaced({ where })) return message;
  const end = /[.!?]$/.exec(message)?.[0] ?? '';
  return `${message.slice(0, message.length - end.length)} (${where})${end}`;
}

/** Sentence and hint; `indent` precedes every line except the first. */
export function errorLines(error: Said, indent = ''): string {
  return [errorSentence(error), error.hint ?? '']
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('\n', `\n${indent}`);
}
