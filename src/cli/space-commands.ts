import type { Command } from 'commander';
import { act, type Exit } from './act.ts';

// Commands about spaces, channels, members and invitations.

const spaces = async () => import('./commands/space.ts');
const channels = async () => import('./commands/space-channels.ts');
const invites = async () => import('./commands/space-invites.ts');
const yes = ['--yes', 'do not ask'] as const;

function addSpaces(program: Command, exit: Exit): void {
  const space = program
    .command('space')
    .description(
      'the spaces you are in; a space is named by its name or id, somebody by slug, name or agent id',
    );
  act(
    space.command('list').description('your spaces, and what you are in them'),
    exit,
    async () => (await spaces()).runSpaceList,
  );
  act(
    space.command('create <name>').description('make a space; you own it'),
    exit,
    async () => (await spaces()).runSpaceCreate,
  );
  act(
    space.command('rename <space> <name>').description('give a space another name (owner, admins)'),
    exit,
    async () => (await spaces()).runSpaceRename,
  );
  act(
    space.command('archive <space>').description('put a space away: nobody writes there (owner)'),
    exit,
    async () => (await spaces()).runSpaceArchive(true),
  );
  act(space.command('unarchive <space>').description('bring it back (owner)'), exit, async () =>
    (await spaces()).runSpaceArchive(false),
  );
  addMembers(space, exit);
}

function addMembers(space: Command, exit: Exit): void {
  act(
    space.command('members <space>').description('who is in it, and with which role'),
    exit,
    async () => (await spaces()).runSpaceMembers,
  );
  act(
    space.command('role <space> <who> <role>').description('make somebody admin or member (owner)'),
    exit,
    async () => (await spaces()).runSpaceRole,
  );
  act(
    space
      .command('remove <space> <who>')
      .description('put somebody out (owner, admins)')
      .option(...yes),
    exit,
    async () => (await spaces()).runSpaceRemove,
  );
  act(
    space
      .command('leave <space>')
      .description('leave it')
      .option(...yes),
    exit,
    async () => (await spaces()).runSpaceLeave,
  );
  act(
    space
      .command('hand-over <space> <who>')
      .description('make somebody else the owner (owner)')
      .option(...yes),
    exit,
    async () => (await spaces()).runSpaceHandOver,
  );
}

function addChannels(program: Command, exit: Exit): void {
  const channel = program
    .command('channel')
    .description('the channels you are in; a channel is #name, space/#name or an id');
  act(
    channel.command('list [space]').description('your channels, of one space or of all'),
    exit,
    async () => (await channels()).runChannelList,
  );
  const create = channel
    .command('create <space> <name>')
    .description('make a channel; you invite who is in it');
  create.option('--no-encrypted', 'messages are signed, and the server can read them');
  act(create, exit, async () => (await channels()).runChannelCreate);
  act(
    channel.command('rename <channel> <name>').description('give a channel another name'),
    exit,
    async () => (await channels()).runChannelRename,
  );
  act(
    channel
      .command('delete <channel>')
      .description('delete a channel for everybody')
      .option(...yes),
    exit,
    async () => (await channels()).runChannelDelete,
  );
  act(
    channel
      .command('leave <channel>')
      .description('leave it')
      .option(...yes),
    exit,
    async () => (await channels()).runChannelLeave,
  );
  act(
    channel
      .command('remove <channel> <who>')
      .description('put somebody out')
      .option(...yes),
    exit,
    async () => (await channels()).runChannelRemove,
  );
}

export function addSpaceCommands(program: Command, exit: Exit): void {
  addSpaces(program, exit);
  addChannels(program, exit);
  const invite = program
    .command('invite <who>')
    .description('invite a person by slug, or an agent of yours by id');
  invite
    .option('--space <space>', 'to this space')
    .option('--channel <channel>', 'to this channel, and to its space where that is needed');
  act(invite, exit, async () => (await invites()).runInviteSend);
  const received = program
    .command('invites')
    .description('invitations to you that wait for an answer')
    .enablePositionalOptions();
  act(received, exit, async () => (await invites()).runInvites);
  act(
    received.command('accept <id>').description('say yes; the beginning of an id is enough'),
    exit,
    async () => (await invites()).runInviteAnswer(true),
  );
  act(received.command('reject <id>').description('say no'), exit, async () =>
    (await invites()).runInviteAnswer(false),
  );
  act(
    received.command('sent').description('those you sent that nobody has answered'),
    exit,
    async () => (await invites()).runInvitesSent,
  );
  act(
    received.command('cancel <id>').description('take one back that you sent'),
    exit,
    async () => (await invites()).runInviteCancel,
  );
}

/** Sub-commands of `kennel agent`. */
export function addAgentSpaceCommands(agent: Command, exit: Exit): void {
  const accept = agent
    .command('autoaccept <id>')
    .description(
      'whether the server accepts your invitations for an agent at once; without --owner, what holds',
    );
  accept
    .requiredOption('--space <space>', 'in which space')
    .option('--owner <on|off>', 'invitations from you, its owner');
  act(accept, exit, async () => (await invites()).runAutoAccept);
}
