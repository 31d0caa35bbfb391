/** An error in words, the same everywhere: what happened with its place in brackets, and on a line of its own what to do. */
import type { AppError } from './errors.ts';

type Said = Pick<AppError, 'message' | 'where' | 'hint'>;

/** Places that a program needs and that tell a person nothing: members of a request. */
const members: readonly string[] = ['who', 'space', 'channel', 'index', 'files', 'threadRootId'];

/** One sentence: "The file agent.yml is missing (/home/a/agent.yml)." */
export function errorSentence({ message, where }: Said): string {
  if (!where || members.includes(where)) return message;
  const end = /[.!?]$/.exec(message)?.[0] ?? '';
  return `${message.slice(0, message.length - end.length)} (${where})${end}`;
}

/** Sentence and hint; every line but the first begins with `indent`. */
export function errorLines(error: Said, indent = ''): string {
  return [errorSentence(error), error.hint ?? '']
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('\n', `\n${indent}`);
}
