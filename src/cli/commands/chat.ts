import { setTimeout as sleep } from 'node:timers/promises';
import { readNew } from '../../contract/chat-commands.ts';
import { countUnread } from '../../contract/count-unread.ts';
import type { ChatMessage, RoomsView } from '../../contract/model.ts';
import { conversationTitle } from '../../contract/room-conversations.ts';
import { mainRoom } from '../../contract/room-id.ts';
import { announceApprovals } from '../announce-approvals.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { progress } from '../progress.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { printable, visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';
import { parseWholeNumber } from '../whole-number.ts';
import { annotationCommands } from './annotation-commands.ts';
import { conversationCommands } from './conversation-commands.ts';
import { fileLines } from './file-lines.ts';
import { messageLine, stepLines } from './message-lines.ts';
import { muteCommands } from './mute-commands.ts';

interface SendFlags {
  readonly json?: boolean;
  readonly to: string;
  readonly thread?: string;
  readonly attach: readonly string[];
  readonly wait?: string | boolean;
  readonly text?: boolean;
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
  const values = { seconds, message: messageId };
  throw commandFailure('timeout', 'cliChat.noAnswer', values, {
    help: asked() ? 'cliChat.waitsForYours' : 'cliChat.whySays',
  });
}

/** `/new TEXT` starts a conversation for the text, as in the window; `--text` and a thread send it as it is. */
async function conversationFor(
  session: HostSession,
  { to, thread, text: isText = false }: SendFlags,
  words: string,
): Promise<{ readonly to: string; readonly text: string }> {
  const text = thread === undefined && !isText ? readNew(words) : null;
  if (text === null) return { to, text: words };
  if (text === '') throw commandFailure('invalid_input', 'cliChat.emptyMessage');
  const { roomId } = await session.call('chat.newConversation', { room: to });
  return { to: roomId, text };
}

async function runSend(args: readonly string[], flags: SendFlags): Promise<number> {
  const words = args.join(' ');
  if (words.trim() === '' && flags.attach.length === 0)
    throw commandFailure('invalid_input', 'cliChat.emptyMessage');
  const seconds = flags.wait === undefined ? 0 : flags.wait === true ? 60 : Number(flags.wait);
  if (!Number.isFinite(seconds) || seconds < 0)
    throw commandFailure('invalid_input', 'cliTerminal.takesSeconds', { flag: '--wait' });
  return withHost('running-host', async (session) => {
    const { attach } = flags;
    const files = attach.length === 0 ? [] : await (await import('./files.ts')).putFiles(session, attach);
    const seen =
      flags.thread && seconds > 0 ? await answersIn(session, flags.to, flags.thread) : new Set<string>();
    const { to, text } = await conversationFor(session, flags, words);
    const sent = await session.call('chat.send', {
      to,
      text,
      files,
      checkCommand: flags.text !== true,
      ...(flags.thread ? { threadRootId: flags.thread } : {}),
    });
    if (seconds === 0) {
      const { connection } = await session.call('chat.rooms', {});
      const said = copy(connection === 'online' ? 'cliChat.sentTo' : 'cliChat.keptFor', {
        room: sent.roomId,
        message: sent.messageId,
      });
      show(flags.json === true, sent, said);
      return exitOk;
    }
    // On standard error, because a question is not part of the answer.
    let asked = false;
    const enough = announceApprovals(session.client, ({ text }) => {
      asked = true;
      progress.note(printable(text));
    });
    const root = flags.thread ?? sent.messageId;
    const { roomId: room, messageId } = sent;
    const awaited = { room, root, messageId, seen, asked: () => asked };
    const waiting = waitForAnswer(session, awaited, seconds).finally(enough);
    const answer = await progress.during(waiting, copy('cliProgress.waitingForAnswer'));
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
      room.kind === 'channel'
        ? copy('cliChat.channelIn', {
            name: room.name,
            space: spaces.get(room.spaceId ?? '') ?? copy('cliChat.someSpace'),
          })
        : [room.name, conversationTitle(room)].filter((part) => part !== '').join(': ');
    const unread = countUnread(view, room);
    const notes = [
      ...(unread > 0 ? [copy('cliChat.unread', { count: unread })] : []),
      ...(view.mutes[mainRoom(room.id)] ? [copy('cliChat.muted')] : []),
    ];
    return `${room.id}  ${visibleTerminalLine(place)}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`;
  });
  return lines.length === 0 ? copy('cliChat.noRooms') : lines.join('\n');
}

async function runRetry(args: readonly string[], flags: { readonly json?: boolean }): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('chat.retry', { message: args[0] ?? '' });
    show(flags.json === true, {}, copy('cliChat.onItsWay'));
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
async function runRead(args: readonly string[], flags: ReadFlags): Promise<number> {
  const room = args[0] ?? '';
  const limit = parseWholeNumber('--limit', flags.limit, 1, 200);
  return withHost('running-host', async ({ call }) => {
    if (room === '') {
      const view = await call('chat.rooms', {});
      show(flags.json === true, view, roomLines(view));
      return exitOk;
    }
    if (flags.server) {
      const view = await call('chat.serverView', { room, limit });
      const lines = view.rows.map(
        (row) =>
          `${utcSecond(row.sentAt)}  ${row.senderSlug}  ${copy('cliValues.bytesFew', { bytes: row.bytes })}  ${row.ciphertext}`,
      );
      show(flags.json === true, view, [shown(view.note), ...lines].filter((line) => line !== '').join('\n'));
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
        copy('cliChat.nothingSaid'),
    );
    return exitOk;
  });
}

const send = defineCommand({
  verb: 'send',
  args: '[text...]',
  options: [
    {
      flags: '--to <room>',
      isRequired: true,
    },
    { flags: '--thread <message>' },
    { flags: '--attach <file>', isRepeatable: true },
    { flags: '--wait [seconds]' },
    { flags: '--text' },
  ],
  examples: [
    'chat send --to guide "What can you do?" --wait',
    'chat send --to \'#general\' "Good morning"',
    'chat send --to guide "What is wrong here?" --attach log.txt',
  ],
  run: runSend,
});

const read = defineCommand({
  verb: 'read',
  args: '[room]',
  options: [
    { flags: '--limit <number>', fallback: '50' },
    { flags: '--before <message>' },
    { flags: '--ids' },
    { flags: '--server' },
  ],
  examples: ['chat read', "chat read '#general' --limit 10", 'chat read guide --server'],
  run: runRead,
});

const retry = defineCommand({
  verb: 'retry',
  args: '<message>',
  examples: ['chat retry MESSAGE', 'chat read guide --ids', 'chat retry MESSAGE --json'],
  run: runRetry,
});

export const chatCliCommands: readonly CommandSpec[] = [
  send,
  read,
  retry,
  ...conversationCommands,
  ...annotationCommands,
  ...muteCommands,
];
