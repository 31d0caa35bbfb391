import { readSpaceLink } from '../../contract/invite-link.ts';
import type { SpaceLinkView } from '../../contract/link-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText } from '../table.ts';
import { askYes, CommandFailure, canAsk, exitOk, secretFlag, show, usageError } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { utcMinute } from '../when.ts';
import type { SpaceFlags } from './space-confirm.ts';

type Args = readonly string[];

interface LinkFlags extends SpaceFlags {
  readonly expires: string;
  readonly uses: string;
}

function daysOf(text: string): number | null {
  if (text === 'never') return null;
  const [, days] = /^(\d{1,3})d$/.exec(text) ?? [];
  if (days === undefined) throw usageError('--expires takes a number of days such as 7d, or never.');
  return Number(days);
}

function usesOf(text: string): number | null {
  if (text === 'unlimited') return null;
  if (!/^\d{1,4}$/.test(text)) throw usageError('--uses takes a whole number, or unlimited.');
  return Number(text);
}

async function createLink(space: string, flags: LinkFlags): Promise<number> {
  const [days, uses] = [daysOf(flags.expires), usesOf(flags.uses)];
  return withHost('running-host', async ({ call }) => {
    const made = await call('links.create', { space, days, uses });
    const until = made.expiresAt === null ? 'until it is revoked' : `until ${utcMinute(made.expiresAt)}`;
    const people = uses === null ? 'any number of people' : uses === 1 ? 'one person' : `${uses} people`;
    const text = [
      made.link,
      `Whoever has this link joins ${visibleTerminalLine(space)}: ${people}, ${until}.`,
      'Kennel shows it only now. Its receiver opens it in Kennel, or pastes it into "kennel space join".',
    ];
    show(flags.json === true, made, text.join('\n'));
    return exitOk;
  });
}

const stateOf = ({ expiresAt, maxUses, uses }: SpaceLinkView): string => {
  if (expiresAt !== null && expiresAt <= Date.now()) return 'expired';
  return maxUses !== null && uses >= maxUses ? 'used up' : 'open';
};

async function listLinks(space: string, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { links } = await call('links.list', { space });
    const rows = links.map((link) => [
      link.id,
      stateOf(link),
      `${link.uses} of ${link.maxUses ?? 'any'}`,
      link.expiresAt === null ? 'never' : utcMinute(link.expiresAt),
      link.inviterName,
    ]);
    const text =
      links.length === 0
        ? 'This space has no invite links. Make one with "kennel space link create SPACE".'
        : columnsText(['ID', 'STATE', 'USED', 'EXPIRES', 'MADE BY'], rows);
    show(flags.json === true, { links }, text);
    return exitOk;
  });
}

async function revokeLink(space: string, link: string | undefined, flags: SpaceFlags): Promise<number> {
  if (link === undefined || link === '')
    throw usageError('Which link?', 'Run "kennel space link list SPACE" for the ids.');
  return withHost('running-host', async ({ call }) => {
    await call('links.revoke', { space, link });
    show(flags.json === true, { space, link, revoked: true }, 'Revoked. People who joined by it stay.');
    return exitOk;
  });
}

async function runLink(args: Args, flags: LinkFlags): Promise<number> {
  const [action = '', space = '', link] = args;
  if (action === 'create') return createLink(space, flags);
  if (action === 'list') return listLinks(space, flags);
  if (action === 'revoke') return revokeLink(space, link, flags);
  throw usageError(`"${visibleTerminalLine(action)}" is not create, list or revoke.`);
}

interface JoinFlags extends SpaceFlags {
  readonly username?: string;
  readonly displayName?: string;
}

/** Names the server before anything is sent to it. */
async function runJoin(args: Args, flags: JoinFlags): Promise<number> {
  const given = await secretFlag(args[0] || true, 'kennel space join', copy('cliTerminal.askInviteLink'));
  const text = given ?? '';
  const link = readSpaceLink(text);
  if (link === null) {
    throw usageError('This is no invite link to a space.', 'It begins with kennel://join; copy all of it.');
  }
  const server = visibleTerminalLine(link.serverUrl);
  if (!flags.yes) {
    if (!canAsk()) throw usageError(`This connects to ${server}.`, 'Add --yes if you trust that server.');
    if (!(await askYes(`This link leads to the server ${server}. Connect to it?`)))
      throw new CommandFailure({ code: 'cancelled', message: 'Nothing was sent.' });
  }
  return withHost('running-host', async ({ call }) => {
    const joined = await call('links.join', {
      link: text,
      ...(flags.username === undefined ? {} : { username: flags.username }),
      ...(flags.displayName === undefined ? {} : { displayName: flags.displayName }),
    });
    const where = visibleTerminalLine(joined.spaceName);
    show(flags.json === true, joined, `You are in ${where} as ${joined.slug}.`);
    return exitOk;
  });
}

const link = defineCommand<LinkFlags>({
  verb: 'link',
  args: '<action> <space> [link]',
  options: [
    { flags: '--expires <days>', fallback: '7d' },
    { flags: '--uses <number>', fallback: '10' },
  ],
  examples: [
    'space link create Garden --expires 1d --uses 1',
    'space link list Garden',
    'space link revoke Garden LINK',
  ],
  run: runLink,
});

const join = defineCommand<JoinFlags>({
  verb: 'join',
  args: '[link]',
  progress: 'cliProgress.joining',
  options: [{ flags: '--username <name>' }, { flags: '--display-name <name>' }, { flags: '--yes' }],
  examples: ['space join', 'space join - --username ada --yes < link.txt', 'space list'],
  run: runJoin,
});

export const spaceLinkCommands: readonly CommandSpec[] = [link, join];
