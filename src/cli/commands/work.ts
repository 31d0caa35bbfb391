import type { MethodOutput } from '../../contract/methods.ts';
import { turnTime } from '../../contract/turn-time.ts';
import type { Spend } from '../../contract/work.ts';
import type { TurnPart, TurnState, TurnSummary } from '../../contract/work-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { columnsText, labelledLines, type SafeText, type TableCell, type Tone } from '../table.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { namesOf } from '../union-names.ts';
import { printableJson, visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';
import { parseWholeNumber } from '../whole-number.ts';

interface ListFlags {
  readonly json?: boolean;
  readonly in?: string;
  readonly state?: string;
  readonly before?: string;
  readonly limit: string;
}

function took(from: number, to: number | null): string {
  if (to === null) return '';
  const ms = Math.max(0, to - from);
  if (ms < 1_000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Duration of an ended turn's own work. */
const worked = (turn: TurnSummary): string =>
  turn.endedAt === null ? '' : took(0, turnTime(turn, turn.endedAt).workMs);

/** Time that an ended turn waited for an answer; empty if it did not. */
function waited(turn: TurnSummary): string {
  const { waitedMs } = turnTime(turn, turn.endedAt ?? turn.startedAt);
  return waitedMs === 0 ? '' : took(0, waitedMs);
}

function cost({ tokens, usd, unpriced, simulated }: Spend): string {
  if (tokens === 0) return '';
  if (usd === null) return copy('cliValues.tokens', { tokens });
  const sum = `$${usd > 0 && usd < 0.1 ? usd.toPrecision(2) : usd.toFixed(2)}`;
  if (unpriced > 0) return copy('cliWork.costUnknown', { cost: sum });
  return simulated ? copy('cliWork.costSimulated', { cost: sum }) : sum;
}

const turnStates = namesOf<TurnState>({
  running: true,
  waiting: true,
  held: true,
  done: true,
  silent: true,
  failed: true,
  stopped: true,
});

function statesOf(flag: string | undefined) {
  if (flag === undefined) return {};
  const wanted = flag.split(',').map((one) => turnStates.find((state) => state === one.trim()));
  const known = wanted.filter((state) => state !== undefined);
  if (known.length < wanted.length)
    throw commandFailure('invalid_input', 'cliTerminal.takesOneOf', {
      flag: '--state',
      names: turnStates.join(', '),
    });
  return { states: known };
}

const turnTones: Readonly<Record<TurnState, Tone>> = {
  running: 'busy',
  waiting: 'attention',
  held: 'attention',
  done: 'good',
  silent: 'quiet',
  failed: 'bad',
  stopped: 'quiet',
};

const turnHeads = (): readonly string[] => [
  copy('cliHeads.started'),
  copy('cliHeads.state'),
  copy('cliHeads.agent'),
  copy('cliHeads.room'),
  copy('cliHeads.took'),
  copy('cliHeads.cost'),
  copy('cliHeads.turn'),
];

const turnRow = (turn: TurnSummary): readonly TableCell[] => [
  utcSecond(turn.startedAt),
  { text: copy(`cliWork.state_${turn.state}`), tone: turnTones[turn.state] },
  turn.agentName,
  turn.roomName,
  worked(turn),
  cost(turn.spend),
  turn.id,
];

async function runWorkList(args: readonly string[], flags: ListFlags): Promise<number> {
  const limit = parseWholeNumber('--limit', flags.limit, 1, 200);
  const states = statesOf(flags.state);
  return withHost('running-host', async ({ call }) => {
    const page = await call('work.turns', {
      limit,
      ...states,
      ...(args[0] ? { agent: args[0] } : {}),
      ...(flags.in === undefined ? {} : { room: flags.in }),
      ...(flags.before === undefined ? {} : { before: flags.before }),
    });
    const lines = [
      page.turns.length === 0 ? copy('cliWork.none') : columnsText(turnHeads(), page.turns.map(turnRow)),
      ...page.closed.map(
        ({ agentName, text }) => `${visibleTerminalLine(agentName)}: ${visibleTerminalLine(text)}`,
      ),
      ...(page.next === null ? [] : [copy('cliWork.more', { place: page.next })]),
    ];
    show(flags.json === true, page, lines);
    return exitOk;
  });
}

function partRow(part: TurnPart, from: number): readonly TableCell[] {
  const { model, kind, title, state, startedAt, endedAt, input } = part;
  const words = model
    ? copy('cliWork.modelUse', {
        model: `${model.provider}/${model.model}`,
        input: model.input,
        output: model.output,
      })
    : shown(title);
  return [
    `+${((startedAt - from) / 1_000).toFixed(1)} s`,
    copy(`cliWork.kind_${kind}`),
    copy(`cliWork.part_${state}`),
    took(startedAt, endedAt),
    visibleExactLine(words === '' ? input.split('\n').slice(0, 3).join(' ').slice(0, 120) : words),
  ];
}

function describe({
  turn,
  parts,
  omitted,
  answer,
}: MethodOutput<'work.turn'>): readonly (string | SafeText)[] {
  const { startedAt, endedAt, spend, asked, detail } = turn;
  const head = {
    turn: turn.id,
    agent: visibleTerminalLine(turn.agentName),
    room: visibleTerminalLine(turn.roomName),
    state: copy(`cliWork.state_${turn.state}`),
  };
  const rows: [string, string][] = [
    [asked === '' ? '' : copy('cliWork.asked'), visibleTerminalLine(asked)],
    [copy('cliWork.began'), utcSecond(startedAt)],
    [endedAt === null ? '' : copy('cliWork.took'), worked(turn)],
    [waited(turn) === '' ? '' : copy('cliWork.waited'), waited(turn)],
    [spend.tokens === 0 ? '' : copy('cliWork.cost'), cost(spend)],
    [detail === '' ? '' : copy('cliWork.note'), visibleTerminalLine(detail)],
  ];
  return [
    copy(turn.roomName.startsWith('#') ? 'cliWork.inRoom' : 'cliWork.withPerson', head),
    ...labelledLines(
      rows.filter(([label]) => label !== ''),
      8,
    ),
    '',
    ...(omitted === 0 ? [] : [copy('cliWork.leftOut', { count: omitted })]),
    columnsText(
      [],
      parts.map((part) => partRow(part, turn.startedAt)),
    ),
    ...(answer === '' ? [] : ['', answer]),
  ];
}

async function printRaw({ call }: HostSession, turn: string): Promise<void> {
  for (let after: number | null = 0; after !== null; ) {
    const page: MethodOutput<'work.raw'> = await call('work.raw', { turn, after });
    for (const { json } of page.events) process.stdout.write(`${printableJson(json)}\n`);
    after = page.next;
  }
}

async function runWorkShow(
  args: readonly string[],
  flags: { readonly json?: boolean; readonly raw?: boolean },
): Promise<number> {
  const turn = args[0] ?? '';
  return withHost('running-host', async (session) => {
    if (flags.raw) await printRaw(session, turn);
    else {
      const view = await session.call('work.turn', { turn });
      show(flags.json === true, view, describe(view));
    }
    return exitOk;
  });
}

const list = defineCommand({
  verb: 'list',
  args: '[agent]',
  isDefault: true,
  options: [
    { flags: '--in <room>' },
    {
      flags: '--state <states>',
    },
    { flags: '--before <place>' },
    { flags: '--limit <number>', fallback: '20' },
  ],
  examples: ['work list', 'work list guide --limit 5', 'work list --state failed,stopped'],
  run: runWorkList,
});

const showTurn = defineCommand({
  verb: 'show',
  args: '<turn>',
  options: [{ flags: '--raw' }],
  examples: ['work show TURN', 'work show TURN --raw', 'work show TURN --json'],
  run: runWorkShow,
});

export const workCommands: readonly CommandSpec[] = [list, showTurn];
