import { readSpaceLink } from '../../contract/invite-link.ts';
import type { SpaceLinkView } from '../../contract/link-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText } from '../table.ts';
import { askYes, canAsk, commandFailure, exitOk, secretFlag, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { shownMinute } from '../when.ts';
import type { SpaceFlags } from './space-confirm.ts';

type Args = readonly string[];

interface LinkFlags extends SpaceFlags {
  readonly expires: string;
  readonly uses: string;
}

function daysOf(text: string): number | null {
  if (text === 'never') return null;
  const [, days] = /^(\d{1,3})d$/.exec(text) ?? [];
  if (days === undefined) throw commandFailure('invalid_input', 'cliSpaces.expiresForm');
  return Number(days);
}

function usesOf(text: string): number | null {
  if (text === 'unlimited') return null;
  if (!/^\d{1,4}$/.test(text)) throw commandFailure('invalid_input', 'cliSpaces.usesForm');
  return Number(text);
}

function peopleText(uses: number | null): string {
  if (uses === null) return copy('cliSpaces.anyPeople');
  return uses === 1 ? copy('cliSpaces.onePerson') : copy('cliSpaces.people', { count: uses });
}

async function createLink(space: string, flags: LinkFlags): Promise<number> {
  const [days, uses] = [daysOf(flags.expires), usesOf(flags.uses)];
  return withHost('running-host', async ({ call }) => {
    const made = await call('links.create', { space, days, uses });
    const until =
      made.expiresAt === null
        ? copy('cliSpaces.untilRevoked')
        : copy('cliSpaces.untilTime', { time: shownMinute(made.expiresAt) });
    const text = [
      made.link,
      copy('cliSpaces.whoeverHas', {
        space: visibleTerminalLine(space),
        people: peopleText(uses),
        until,
      }),
      copy('cliSpaces.linkOnce'),
    ];
    show(flags.json === true, made, text.join('\n'));
    return exitOk;
  });
}

const stateOf = ({ expiresAt, maxUses, uses }: SpaceLinkView): string => {
  if (expiresAt !== null && expiresAt <= Date.now()) return copy('cliSpaces.expired');
  return maxUses !== null && uses >= maxUses ? copy('cliSpaces.usedUp') : copy('cliSpaces.open');
};

async function listLinks(space: string, flags: SpaceFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const { links } = await call('links.list', { space });
    const rows = links.map((link) => [
      link.id,
      stateOf(link),
      copy('cliSpaces.used', { uses: link.uses, most: link.maxUses ?? copy('cliSpaces.any') }),
      link.expiresAt === null ? copy('cliSpaces.never') : shownMinute(link.expiresAt),
      link.inviterName,
    ]);
    const text =
      links.length === 0
        ? copy('cliSpaces.createLinkFirst')
        : columnsText(
            [
              copy('cliHeads.id'),
              copy('cliHeads.state'),
              copy('cliHeads.used'),
              copy('cliHeads.expires'),
              copy('cliHeads.madeBy'),
            ],
            rows,
          );
    show(flags.json === true, { links }, text);
    return exitOk;
  });
}

async function revokeLink(space: string, link: string | undefined, flags: SpaceFlags): Promise<number> {
  if (link === undefined || link === '')
    throw commandFailure('invalid_input', 'cliSpaces.linkIs', {}, { help: 'cliSpaces.linkIds' });
  return withHost('running-host', async ({ call }) => {
    await call('links.revoke', { space, link });
    show(flags.json === true, { space, link, revoked: true }, copy('cliSpaces.linkRevoked'));
    return exitOk;
  });
}

async function runLink(args: Args, flags: LinkFlags): Promise<number> {
  const [action = '', space = '', link] = args;
  if (action === 'create') return createLink(space, flags);
  if (action === 'list') return listLinks(space, flags);
  if (action === 'revoke') return revokeLink(space, link, flags);
  throw commandFailure('invalid_input', 'cliSpaces.unknownAction', { action: visibleTerminalLine(action) });
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
    throw commandFailure('invalid_input', 'cliSpaces.noLink', {}, { help: 'cliSpaces.wholeLink' });
  }
  const server = visibleTerminalLine(link.serverUrl);
  if (!flags.yes) {
    if (!canAsk())
      throw commandFailure(
        'invalid_input',
        'cliSpaces.thisConnects',
        { server },
        { help: 'cliSpaces.trustServer' },
      );
    if (!(await askYes(copy('cliSpaces.linkLeadsTo', { server }))))
      throw commandFailure('cancelled', 'cliSpaces.nothingSent');
  }
  return withHost('running-host', async ({ call }) => {
    const joined = await call('links.join', {
      link: text,
      ...(flags.username === undefined ? {} : { username: flags.username }),
      ...(flags.displayName === undefined ? {} : { displayName: flags.displayName }),
    });
    const where = visibleTerminalLine(joined.spaceName);
    show(flags.json === true, joined, copy('cliSpaces.youAreInAs', { space: where, slug: joined.slug }));
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
