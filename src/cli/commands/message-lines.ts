/** Lines of a message in the terminal. */
import type { ChatMessage } from '../../contract/model.ts';
import { copy } from '../copy.ts';
import { visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';
import { fileLines } from './file-lines.ts';

const stepMarks = {
  running: '…',
  waiting: '?',
  done: '+',
  failed: '!',
  denied: 'x',
  unknown: '?',
} as const;

/** One line per tool call before the message. */
export const stepLines = ({ steps }: ChatMessage): readonly string[] =>
  steps.map(({ state, title, tool }) => `  ${stepMarks[state]} ${visibleExactLine(title)} (${tool})`);

/** Delivery state of an own message, unless it was simply sent. */
function deliveryWords({ own, delivery, deliveryError }: ChatMessage): string {
  const why = deliveryError === null ? '' : `: ${visibleTerminalLine(deliveryError)}`;
  if (delivery === 'pending' || delivery === 'failed')
    return ` [${copy(`cliChat.delivery_${delivery}`)}${why}]`;
  return own && why !== '' ? ` [${copy('cliChat.delivery_sent')}${why}]` : '';
}

/**
 * Shows the id if a command needs it: with files, after a failure, or on request. Further lines of a text are
 * indented, so that none of them looks like another message.
 */
export function messageLine(message: ChatMessage, ids: boolean): string {
  const fold = message.threadRootId ? '  > ' : '';
  const { attachments, delivery } = message;
  const indented = message.text.replaceAll('\n', `\n${fold}    `);
  const text = message.text === '' && attachments.length > 0 ? '' : ` ${indented}`;
  const said = `${fold}${utcSecond(message.sentAt)}  ${visibleTerminalLine(message.senderName)}:${text}${deliveryWords(message)}`;
  const below = ids || attachments.length > 0 || delivery === 'failed' ? [`  ${message.id}`] : [];
  const lines = [...below, ...fileLines(message)].map((line) => `${fold}${line}`);
  return [...stepLines(message).map((line) => `${fold}${line}`), said, ...lines].join('\n');
}
