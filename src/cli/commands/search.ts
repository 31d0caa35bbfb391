import type { SearchHit } from '../../contract/history-methods.ts';
import { defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';
import { parseWholeNumber } from '../whole-number.ts';

interface SearchFlags {
  readonly json?: boolean;
  readonly in?: string;
  readonly agent?: string;
  readonly before?: string;
  readonly from?: string;
  readonly since?: string;
  readonly until?: string;
  readonly hasFile?: boolean;
  readonly limit: string;
}

const dayFilter = (flag: string, name: string, day: string | undefined): string => {
  if (day === undefined) return '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw commandFailure('invalid_input', 'cliSearch.dayForm', { flag });
  return `${name}:${day}`;
};

/** The words with the flags as filters, as the search field of the window takes them. */
const filteredWords = (
  args: readonly string[],
  { from, since, until, hasFile = false }: SearchFlags,
): string =>
  [
    ...args,
    from === undefined ? '' : `from:"${from.replaceAll('"', '')}"`,
    dayFilter('--since', 'after', since),
    dayFilter('--until', 'before', until),
    hasFile ? 'has:file' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');

const hitLines = ({ sentAt, roomName, senderName, excerpt, id }: SearchHit): string =>
  `${utcSecond(sentAt)}  ${visibleTerminalLine(roomName)}  ${visibleTerminalLine(senderName)}: ${visibleTerminalLine(excerpt)}\n  ${id}`;

async function runSearch(args: readonly string[], flags: SearchFlags): Promise<number> {
  const limit = parseWholeNumber('--limit', flags.limit, 1, 200);
  const words = filteredWords(args, flags);
  if (words === '') throw commandFailure('invalid_input', 'cliSearch.giveWords');
  return withHost('running-host', async ({ call }) => {
    const page = await call('chat.search', {
      words,
      limit,
      ...(flags.in === undefined ? {} : { room: flags.in }),
      ...(flags.agent === undefined ? {} : { agent: flags.agent }),
      ...(flags.before === undefined ? {} : { before: flags.before }),
    });
    const last = page.hits.at(-1);
    const more = page.hasMore && last ? [copy('cliSearch.more', { id: last.id })] : [];
    const lines = [...page.hits.map(hitLines), ...more];
    show(flags.json === true, page, lines.join('\n') || copy('cliSearch.nothing'));
    return exitOk;
  });
}

async function runWhy(args: readonly string[], flags: { readonly json?: boolean }): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const why = await call('chat.why', { message: args[0] ?? '' });
    const agents = why.agents.map(({ name, text }) => `${visibleTerminalLine(name)} ${shown(text)}`);
    const lines = [hitLines(why.message), ...(agents.length === 0 ? [copy('cliSearch.noAgents')] : agents)];
    show(flags.json === true, why, lines.join('\n'));
    return exitOk;
  });
}

async function runMissedCommand(
  args: readonly string[],
  flags: { readonly json?: boolean; readonly days: string },
): Promise<number> {
  const days = parseWholeNumber('--days', flags.days, 1, 366);
  const agent = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    const view = await call('chat.missed', { days, ...(agent === '' ? {} : { agent }) });
    const missed = view.missed.flatMap(({ message, name, text }) => [
      hitLines(message),
      `  ${visibleTerminalLine(name)} ${shown(text)}`,
    ]);
    const closed = view.closed.map(({ name, text }) => `${visibleTerminalLine(name)} ${shown(text)}`);
    const lines = [...(missed.length === 0 ? [copy('cliSearch.nothingWaits')] : missed), ...closed];
    show(flags.json === true, view, lines.join('\n'));
    return exitOk;
  });
}

export const searchCommand = defineCommand({
  verb: '',
  args: '[words...]',
  progress: 'cliProgress.searching',
  options: [
    { flags: '--in <room>' },
    { flags: '--agent <agent>' },
    { flags: '--from <name>' },
    { flags: '--since <day>' },
    { flags: '--until <day>' },
    { flags: '--has-file' },
    { flags: '--before <message>' },
    { flags: '--limit <number>', fallback: '20' },
  ],
  examples: [
    'search birthday friday',
    "search '\"two words\"' --in '#general'",
    "search 'birth*' --agent guide --limit 5",
  ],
  run: runSearch,
});

export const whyCommand = defineCommand({
  verb: '',
  args: '<message>',
  examples: ['why MESSAGE', "chat read '#general' --ids", 'why MESSAGE --json'],
  run: runWhy,
});

export const missedCommand = defineCommand({
  verb: '',
  args: '[agent]',
  options: [{ flags: '--days <number>', fallback: '7' }],
  examples: ['missed', 'missed guide', 'missed --days 30 --json'],
  run: runMissedCommand,
});
