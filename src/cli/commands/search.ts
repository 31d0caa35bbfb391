import type { SearchHit } from '../../contract/history-methods.ts';
import { defineCommand } from '../command.ts';
import { shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { exitOk, show, usageError } from '../terminal.ts';
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
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw usageError(`${flag} takes a day such as 2026-11-01.`);
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
  if (words === '') throw usageError('Give words to search for, or a filter such as --from.');
  return withHost('running-host', async ({ call }) => {
    const page = await call('chat.search', {
      words,
      limit,
      ...(flags.in === undefined ? {} : { room: flags.in }),
      ...(flags.agent === undefined ? {} : { agent: flags.agent }),
      ...(flags.before === undefined ? {} : { before: flags.before }),
    });
    const last = page.hits.at(-1);
    const more = page.hasMore && last ? [`There is more: --before ${last.id}`] : [];
    const lines = [...page.hits.map(hitLines), ...more];
    show(flags.json === true, page, lines.join('\n') || 'Nothing was found.');
    return exitOk;
  });
}

async function runWhy(args: readonly string[], flags: { readonly json?: boolean }): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const why = await call('chat.why', { message: args[0] ?? '' });
    const agents = why.agents.map(({ name, text }) => `${visibleTerminalLine(name)} ${shown(text)}`);
    const lines = [
      hitLines(why.message),
      ...(agents.length === 0 ? ['None of your agents is there.'] : agents),
    ];
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
    const lines = [...(missed.length === 0 ? ['Nothing waits for an answer.'] : missed), ...closed];
    show(flags.json === true, view, lines.join('\n'));
    return exitOk;
  });
}

export const searchCommand = defineCommand({
  verb: '',
  args: '[words...]',
  summary: 'Search your messages or those of an agent, newest first',
  progress: 'Searching',
  options: [
    { flags: '--in <room>', summary: 'only this room: id, #channel or name' },
    { flags: '--agent <agent>', summary: 'messages that this agent received' },
    { flags: '--from <name>', summary: 'sent by this person or agent; "me" is you' },
    { flags: '--since <day>', summary: 'sent on this day or later, as 2026-11-01 (UTC)' },
    { flags: '--until <day>', summary: 'sent before this day (UTC)' },
    { flags: '--has-file', summary: 'only messages with files' },
    { flags: '--before <message>', summary: 'older than this message' },
    { flags: '--limit <number>', summary: 'how many, at most 200', fallback: '20' },
  ],
  examples: [
    ['search birthday friday', 'Find messages with both words'],
    ["search '\"two words\"' --in '#general'", 'Find a phrase in a channel'],
    ["search 'birth*' --agent guide --limit 5", 'Find beginnings of words in messages to an agent'],
  ],
  run: runSearch,
});

export const whyCommand = defineCommand({
  verb: '',
  args: '<message>',
  summary: 'Explain for each agent why it answered a message or not',
  examples: [
    ['why MESSAGE', 'Explain the reactions to a message'],
    ["chat read '#general' --ids", 'Find the id of a message'],
    ['why MESSAGE --json', 'Print the reasons as JSON'],
  ],
  run: runWhy,
});

export const missedCommand = defineCommand({
  verb: '',
  args: '[agent]',
  summary: 'List messages to your agents without an answer, each with the reason',
  options: [{ flags: '--days <number>', summary: 'how far back', fallback: '7' }],
  examples: [
    ['missed', 'List unanswered messages of the last week'],
    ['missed guide', 'Only those to one agent'],
    ['missed --days 30 --json', 'Print those of 30 days as JSON'],
  ],
  run: runMissedCommand,
});
