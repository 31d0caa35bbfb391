import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatMessage, RoomsView } from '../../contract/model.ts';
import { announceApprovals } from '../announce-approvals.ts';
import { type HostSession, withHost } from '../session.ts';
import { CommandFailure, exitOk, show, usage } from '../terminal.ts';
import { visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import { fileLines, putFiles } from './files.ts';

interface SendFlags {
  readonly json?: boolean;
  readonly to: string;
  readonly thread?: string;
  readonly attach: readonly string[];
  readonly wait?: string | boolean;
}

const isAnswer = (message: ChatMessage, sent: string): boolean =>
  !message.own && message.threadRootId === sent;

/** Messages in the thread before the question, which cannot be its answer. */
async function answersIn(session: HostSession, room: string, root: string): Promise<ReadonlySet<string>> {
  const { messages } = await session.call('chat.history', { room, limit: 200 });
  return new Set(messages.filter((message) => isAnswer(message, root)).map(({ id }) => id));
}

interface Awaited {
  readonly room: string;
  readonly root: string;
  readonly messageId: string;
  readonly seen: ReadonlySet<string>;
  asked(): boolean;
}

/** Waits for the first new answer in the thread of `root`. */
async function waitForAnswer(
  session: HostSession,
  { room, root, messageId, seen, asked }: Awaited,
  seconds: number,
): Promise<ChatMessage> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const now = await session.call('chat.history', { room, limit: 200 });
    const answer = now.messages.find((message) => isAnswer(message, root) && !seen.has(message.id));
    if (answer) return answer;
    await sleep(150);
  }
  throw new CommandFailure({
    code: 'timeout',
    message: `No answer came within ${seconds} s; the message was sent.`,
    hint: asked()
      ? 'It waits for yours: answer the question, and it goes on.'
      : `"kennel why ${messageId}" says what each agent made of it.`,
  });
}

export async function runSend(args: readonly string[], flags: SendFlags): Promise<number> {
  const text = args.join(' ');
  if (text.trim() === '' && flags.attach.length === 0) throw usage('The message is empty.');
  const seconds = flags.wait === undefined ? 0 : flags.wait === true ? 60 : Number(flags.wait);
  if (!Number.isFinite(seconds) || seconds < 0) throw usage('--wait takes seconds.');
  return withHost('running-host', async (session) => {
    const files = await putFiles(session, flags.attach);
    const seen =
      flags.thread && seconds > 0 ? await answersIn(session, flags.to, flags.thread) : new Set<string>();
    const sent = await session.call('chat.send', {
      to: flags.to,
      text,
      files,
      ...(flags.thread ? { threadRootId: flags.thread } : {}),
    });
    if (seconds === 0) {
      const { connection } = await session.call('chat.rooms', {});
      const said =
        connection === 'online'
          ? `Sent to ${sent.roomId}: ${sent.messageId}`
          : `Kept for ${sent.roomId}, and sent once the server can be reached: ${sent.messageId}`;
      show(flags.json === true, sent, said);
      return exitOk;
    }
    // On standard error, because a question is not part of the answer.
    let asked = false;
    const enough = announceApprovals(session.client, ({ text }) => {
      asked = true;
      process.stderr.write(`${text}\n`);
    });
    const root = flags.thread ?? sent.messageId;
    const { roomId: room, messageId } = sent;
    const awaited = { room, root, messageId, seen, asked: () => asked };
    const answer = await waitForAnswer(session, awaited, seconds).finally(enough);
    const said = [
      ...stepLines(answer),
      `${visibleTerminalLine(answer.senderName)}: ${answer.text}`,
      ...fileLines(answer),
    ].join('\n');
    show(flags.json === true, { ...sent, answer }, said);
    return exitOk;
  });
}

function roomLines(view: RoomsView): string {
  const spaces = new Map(view.spaces.map((space) => [space.id, space.name]));
  const lines = Object.values(view.rooms).map((room) => {
    const place =
      room.kind === 'channel' ? `#${room.name} in ${spaces.get(room.spaceId ?? '') ?? 'a space'}` : room.name;
    return `${room.id}  ${visibleTerminalLine(place)}${room.unread > 0 ? `  (${room.unread} unread)` : ''}`;
  });
  return lines.length === 0 ? 'No rooms yet.' : lines.join('\n');
}

const stepMarks = {
  running: '…',
  waiting: '?',
  done: '+',
  failed: '!',
  denied: 'x',
  unknown: '?',
} as const;

/** One line per tool call before the message. */
const stepLines = ({ steps }: ChatMessage): readonly string[] =>
  steps.map(({ state, title, tool }) => `  ${stepMarks[state]} ${visibleExactLine(title)} (${tool})`);

const stamp = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19);

/** Delivery state of an own message, unless it was simply sent. */
function deliveryWords({ own, delivery, deliveryError }: ChatMessage): string {
  const why = deliveryError === null ? '' : `: ${visibleTerminalLine(deliveryError)}`;
  if (delivery === 'pending' || delivery === 'failed') return ` [${delivery}${why}]`;
  return own && why !== '' ? ` [sent${why}]` : '';
}

/** Shows the id if a command needs it: with files, after a failure, or on request. */
function messageLine(message: ChatMessage, ids: boolean): string {
  const fold = message.threadRootId ? '  > ' : '';
  const { attachments, delivery } = message;
  const text = message.text === '' && attachments.length > 0 ? '' : ` ${message.text}`;
  const said = `${fold}${stamp(message.sentAt)}  ${visibleTerminalLine(message.senderName)}:${text}${deliveryWords(message)}`;
  const below = ids || attachments.length > 0 || delivery === 'failed' ? [`  ${message.id}`] : [];
  const lines = [...below, ...fileLines(message)].map((line) => `${fold}${line}`);
  return [...stepLines(message).map((line) => `${fold}${line}`), said, ...lines].join('\n');
}

export async function runRetry(args: readonly string[], flags: { readonly json?: boolean }): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('chat.retry', { message: args[0] ?? '' });
    show(flags.json === true, {}, 'It is on its way again.');
    return exitOk;
  });
}

interface ReadFlags {
  readonly json?: boolean;
  readonly limit: string;
  readonly before?: string;
  readonly server?: boolean;
  readonly ids?: boolean;
}

/** `read` accepts the same room names as `send`. */
export async function runRead(args: readonly string[], flags: ReadFlags): Promise<number> {
  const room = args[0] ?? '';
  const limit = Number(flags.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 200)
    throw usage('--limit takes a number from 1 to 200.');
  return withHost('running-host', async ({ call }) => {
    if (room === '') {
      const view = await call('chat.rooms', {});
      show(flags.json === true, view, roomLines(view));
      return exitOk;
    }
    if (flags.server) {
      const view = await call('chat.serverView', { room, limit });
      const lines = view.rows.map(
        (row) => `${stamp(row.sentAt)}  ${row.senderSlug}  ${row.bytes} bytes  ${row.ciphertext}`,
      );
      show(flags.json === true, view, [view.note, ...lines].filter((line) => line !== '').join('\n'));
      return exitOk;
    }
    const page = await call('chat.history', {
      room,
      limit,
      ...(flags.before ? { before: flags.before } : {}),
    });
    show(
      flags.json === true,
      page,
      page.messages.map((message) => messageLine(message, flags.ids === true)).join('\n') ||
        'Nothing has been said here yet.',
    );
    return exitOk;
  });
}
