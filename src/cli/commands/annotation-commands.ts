// Notes on messages that stay on this computer: reactions, pins, deleted copies.
import { type CommandSpec, defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { askYes, CommandFailure, canAsk, exitOk, show, usageError } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';

interface RemoveFlags {
  readonly json?: boolean;
  readonly remove?: boolean;
}

const onlyHere = 'only on this computer';

async function runReact(args: readonly string[], { json, remove = false }: RemoveFlags): Promise<number> {
  const [message = '', emoji = ''] = args;
  return withHost('running-host', async ({ call }) => {
    await call('chat.react', { message, emoji, on: !remove });
    show(json === true, {}, remove ? 'The reaction is removed.' : `The reaction is kept, ${onlyHere}.`);
    return exitOk;
  });
}

async function runPin(args: readonly string[], { json, remove = false }: RemoveFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('chat.pin', { message: args[0] ?? '', on: !remove });
    show(json === true, {}, remove ? 'The message is unpinned.' : `The message is pinned, ${onlyHere}.`);
    return exitOk;
  });
}

async function runPins(args: readonly string[], { json }: { readonly json?: boolean }): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const view = await call('chat.pins', { room: args[0] ?? '' });
    const lines = view.messages.map(
      ({ id, sentAt, senderName, text }) =>
        `${utcSecond(sentAt)}  ${visibleTerminalLine(senderName)}: ${visibleTerminalLine(text)}\n  ${id}`,
    );
    show(json === true, view, lines.join('\n') || 'No pinned messages in this room.');
    return exitOk;
  });
}

async function runDelete(
  args: readonly string[],
  { json, yes = false }: { readonly json?: boolean; readonly yes?: boolean },
): Promise<number> {
  if (!yes) {
    if (!canAsk()) throw usageError('Deleting cannot be undone.', 'Add --yes to say that you mean it.');
    if (!(await askYes('This deletes your copy for good; everyone else keeps theirs. Continue?')))
      throw new CommandFailure({ code: 'cancelled', message: 'Nothing was deleted.' });
  }
  return withHost('running-host', async ({ call }) => {
    await call('chat.delete', { message: args[0] ?? '' });
    const said = 'Deleted on this computer. Everyone else, your agents included, keeps their copy.';
    show(json === true, {}, said);
    return exitOk;
  });
}

const react = defineCommand({
  verb: 'react',
  args: '<message> <emoji>',
  summary: `React to a message, ${onlyHere}`,
  options: [{ flags: '--remove', summary: 'remove the reaction' }],
  examples: [
    ['chat react MESSAGE 👍', 'React to a message'],
    ['chat react MESSAGE 👍 --remove', 'Remove the reaction'],
    ["chat read '#general' --ids", 'Find the id of a message'],
  ],
  run: runReact,
});

const pin = defineCommand({
  verb: 'pin',
  args: '<message>',
  summary: `Pin a message to its room, ${onlyHere}`,
  options: [{ flags: '--remove', summary: 'unpin it' }],
  examples: [
    ['chat pin MESSAGE', 'Pin a message'],
    ['chat pin MESSAGE --remove', 'Unpin it'],
    ["chat pins '#general'", 'List the pinned messages of a room'],
  ],
  run: runPin,
});

const pins = defineCommand({
  verb: 'pins',
  args: '<room>',
  summary: 'List the pinned messages of a room',
  examples: [
    ["chat pins '#general'", 'List those of a channel'],
    ['chat pins guide', 'Those of a conversation with an agent'],
    ['chat pins guide --json', 'Print them as JSON'],
  ],
  run: runPins,
});

const remove = defineCommand({
  verb: 'delete',
  args: '<message>',
  summary: 'Delete your copy of a message on this computer; everyone else keeps theirs',
  options: [{ flags: '--yes', summary: 'do not ask' }],
  examples: [
    ['chat delete MESSAGE', 'Delete a message here'],
    ["chat read '#general' --ids", 'Find the id of a message'],
    ['chat delete MESSAGE --yes', 'Delete it without a question'],
  ],
  run: runDelete,
});

export const annotationCommands: readonly CommandSpec[] = [react, pin, pins, remove];
