/**
 * Errors as text, the same everywhere: the message with its place in parentheses, and the hint on a separate
 * line.
 */
import type { HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';
import { type AppError, messageOf } from './errors.ts';

type Said = Pick<AppError, 'message' | 'where' | 'hint'>;

/** Names of request members, which mean nothing to users. */
const members: readonly string[] = ['who', 'space', 'channel', 'index', 'files', 'threadRootId'];

/** One sentence: "The file agent.yml is missing (/home/a/agent.yml)." */
export function errorSentence({ message, where }: Said): string {
  if (!where || members.includes(where)) return message;
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

/** The sentence as a text of the host. */
export const placedMessage = (error: Pick<AppError, 'message' | 'said' | 'where'>): HostText =>
  !error.where || members.includes(error.where)
    ? messageOf(error)
    : {
        ...say('doctor.placed', { message: messageOf(error), place: error.where }),
        text: errorSentence(error),
      };
