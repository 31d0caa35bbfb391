// Conversations of direct messages. Titles, archiving and deletion stay on this computer.
import { countUnread } from '../../contract/count-unread.ts';
import type { Room, RoomsView } from '../../contract/model.ts';
import { conversationTitle, isConversationOf } from '../../contract/room-conversations.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { askYes, canAsk, commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';

interface JsonFlag {
  readonly json?: boolean;
}

async function runNew(
  [room = '']: readonly string[],
  { json, title = '' }: JsonFlag & { readonly title?: string },
): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const started = await call('chat.newConversation', { room, title });
    show(json === true, started, copy('cliChat.writeToIt', { room: started.roomId }));
    return exitOk;
  });
}

function line(view: RoomsView, room: Room): string {
  const unread = countUnread(view, room);
  const archived = room.conversation?.archived === true;
  const notes = [
    ...(unread > 0 ? [copy('cliChat.unread', { count: unread })] : []),
    ...(archived ? [copy('cliChat.archived')] : []),
  ];
  const title = visibleTerminalLine(conversationTitle(room) || copy('cliChat.mainConversation'));
  return `${room.id}  ${title}${notes.length > 0 ? `  (${notes.join(', ')})` : ''}`;
}

async function runList([room = '']: readonly string[], { json }: JsonFlag): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { roomId } = await call('chat.history', { room, limit: 1 });
    const view = await call('chat.rooms', {});
    const conversations = Object.values(view.rooms).filter((each) => isConversationOf(each, roomId));
    const said = conversations.map((each) => line(view, each)).join('\n');
    show(json === true, { conversations }, said || copy('cliChat.nothingSaid'));
    return exitOk;
  });
}

async function runRename([room = '', ...words]: readonly string[], { json }: JsonFlag): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('chat.renameConversation', { room, title: words.join(' ') });
    show(json === true, {}, copy('cliChat.renamed'));
    return exitOk;
  });
}

const setArchived =
  (archived: boolean) =>
  ([room = '']: readonly string[], { json }: JsonFlag): Promise<number> =>
    withHost('running-host', async ({ call }) => {
      await call('chat.archiveConversation', { room, archived });
      show(json === true, {}, copy(archived ? 'cliChat.archivedUntil' : 'cliChat.backInList'));
      return exitOk;
    });

async function runRemove(
  [room = '']: readonly string[],
  { json, yes = false }: JsonFlag & { readonly yes?: boolean },
): Promise<number> {
  if (!yes) {
    if (!canAsk())
      throw commandFailure('invalid_input', 'cliTerminal.cannotBeUndone', {}, { help: 'cliTerminal.addYes' });
    if (!(await askYes(copy('cliChat.deleteConversation'))))
      throw commandFailure('cancelled', 'cliTerminal.nothingDeleted');
  }
  return withHost('running-host', async ({ call }) => {
    await call('chat.deleteConversation', { room });
    show(json === true, {}, copy('cliChat.conversationDeleted'));
    return exitOk;
  });
}

const listExample = 'chat conversations guide';
const id = 'dm:guide-1a2b~cv_0123456789abcdef';

const start = defineCommand({
  verb: 'new',
  args: '<agent>',
  options: [{ flags: '--title <text>' }],
  examples: ['chat new guide', 'chat new guide --title "Release notes"', 'chat new guide --json'],
  run: runNew,
});

const list = defineCommand({
  verb: 'conversations',
  args: '<agent>',
  examples: ['chat conversations guide', `chat read ${id}`, 'chat conversations guide --json'],
  run: runList,
});

const rename = defineCommand({
  verb: 'rename',
  args: '<conversation> <title...>',
  examples: [`chat rename ${id} "Release notes"`, 'chat rename guide Everything else', listExample],
  run: runRename,
});

const archive = defineCommand({
  verb: 'archive',
  args: '<conversation>',
  examples: [`chat archive ${id}`, `chat unarchive ${id}`, listExample],
  run: setArchived(true),
});

const unarchive = defineCommand({
  verb: 'unarchive',
  args: '<conversation>',
  examples: [`chat unarchive ${id}`, `chat archive ${id}`, listExample],
  run: setArchived(false),
});

const remove = defineCommand({
  verb: 'remove',
  args: '<conversation>',
  options: [{ flags: '--yes' }],
  examples: [`chat remove ${id}`, `chat remove ${id} --yes`, listExample],
  run: runRemove,
});

export const conversationCommands: readonly CommandSpec[] = [start, list, rename, archive, unarchive, remove];
