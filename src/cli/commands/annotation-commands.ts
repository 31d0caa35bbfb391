// Notes on messages that stay on this computer: reactions, pins, deleted copies.
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { askYes, canAsk, commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';

interface RemoveFlags {
  readonly json?: boolean;
  readonly remove?: boolean;
}

async function runReact(args: readonly string[], { json, remove = false }: RemoveFlags): Promise<number> {
  const [message = '', emoji = ''] = args;
  return withHost('running-host', async ({ call }) => {
    await call('chat.react', { message, emoji, on: !remove });
    show(json === true, {}, copy(remove ? 'cliChat.reactionRemoved' : 'cliChat.reacted'));
    return exitOk;
  });
}

async function runPin(args: readonly string[], { json, remove = false }: RemoveFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    await call('chat.pin', { message: args[0] ?? '', on: !remove });
    show(json === true, {}, copy(remove ? 'cliChat.unpinned' : 'cliChat.pinned'));
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
    show(json === true, view, lines.join('\n') || copy('cliChat.noPins'));
    return exitOk;
  });
}

async function runDelete(
  args: readonly string[],
  { json, yes = false }: { readonly json?: boolean; readonly yes?: boolean },
): Promise<number> {
  if (!yes) {
    if (!canAsk())
      throw commandFailure('invalid_input', 'cliTerminal.cannotBeUndone', {}, { help: 'cliTerminal.addYes' });
    if (!(await askYes(copy('cliChat.deleteMessage'))))
      throw commandFailure('cancelled', 'cliTerminal.nothingDeleted');
  }
  return withHost('running-host', async ({ call }) => {
    await call('chat.delete', { message: args[0] ?? '' });
    show(json === true, {}, copy('cliChat.copyDeleted'));
    return exitOk;
  });
}

const react = defineCommand({
  verb: 'react',
  args: '<message> <emoji>',
  options: [{ flags: '--remove' }],
  examples: ['chat react MESSAGE 👍', 'chat react MESSAGE 👍 --remove', "chat read '#general' --ids"],
  run: runReact,
});

const pin = defineCommand({
  verb: 'pin',
  args: '<message>',
  options: [{ flags: '--remove' }],
  examples: ['chat pin MESSAGE', 'chat pin MESSAGE --remove', "chat pins '#general'"],
  run: runPin,
});

const pins = defineCommand({
  verb: 'pins',
  args: '<room>',
  examples: ["chat pins '#general'", 'chat pins guide', 'chat pins guide --json'],
  run: runPins,
});

const remove = defineCommand({
  verb: 'delete',
  args: '<message>',
  options: [{ flags: '--yes' }],
  examples: ['chat delete MESSAGE', "chat read '#general' --ids", 'chat delete MESSAGE --yes'],
  run: runDelete,
});

export const annotationCommands: readonly CommandSpec[] = [react, pin, pins, remove];
