import type { MethodOutput } from '../../contract/methods.ts';
import type { GapReason, RestorePointView, UndoFileView } from '../../contract/undo-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type StateCell, type TableCell } from '../table.ts';
import { exitOk, show } from '../terminal.ts';
import { visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';
import { parseWholeNumber, taskNumber } from '../whole-number.ts';

interface ListFlags {
  readonly json?: boolean;
  readonly task?: string;
  readonly before?: string;
  readonly limit: string;
}

interface PointFlags {
  readonly json?: boolean;
  readonly turn?: boolean;
  readonly replaceChanged?: boolean;
}

function stateOf({ endedAt, undoneBy, tool }: RestorePointView): StateCell {
  if (endedAt === null) return { text: 'running', tone: 'busy' };
  if (undoneBy !== null) return { text: 'undone', tone: 'quiet' };
  return { text: tool === 'undo' ? 'undo' : 'done', tone: 'good' };
}

const pointHeads = ['POINT', 'STATE', 'STARTED', 'AGENT', 'FILES', 'CHANGE'];

const pointRow = (point: RestorePointView): readonly TableCell[] => [
  point.id,
  stateOf(point),
  utcSecond(point.at),
  point.agentName,
  String(point.fileCount),
  shown(point.title),
];

async function runUndoList(args: readonly string[], flags: ListFlags): Promise<number> {
  const limit = parseWholeNumber('--limit', flags.limit, 1, 200);
  const task = flags.task === undefined ? undefined : taskNumber(flags.task);
  return withHost('running-host', async ({ call }) => {
    const page = await call('undo.list', {
      limit,
      ...(args[0] ? { agent: args[0] } : {}),
      ...(task === undefined ? {} : { task }),
      ...(flags.before === undefined ? {} : { before: flags.before }),
    });
    const lines = [
      page.points.length === 0
        ? 'No agent has changed a file.'
        : columnsText(pointHeads, page.points.map(pointRow)),
      ...(page.next === null ? [] : [`More: --before ${page.next}`]),
    ];
    show(flags.json === true, page, lines);
    return exitOk;
  });
}

const stateWords = {
  ready: '',
  changed: ' (changed since)',
  restored: ' (already as before)',
  uncovered: ' (not covered: it stays as it is)',
} as const satisfies Record<UndoFileView['state'], string>;

const gapWords = {
  too_large: 'larger than 16 MiB',
  many_names: 'has several hard links',
  special: 'a device or pipe',
  unreadable: 'cannot be read',
  ignored: 'a folder of generated files',
  limit: 'beyond the size of a restore point',
  outside: 'outside the workspace',
} as const satisfies Record<GapReason, string>;

const indented = (diff: string): string[] => diff.split('\n').map((line) => `    ${visibleExactLine(line)}`);

function fileLines({ path, kind, change, state, diff, since, cut }: UndoFileView): string[] {
  const head = `${change} ${kind === 'file' ? '' : `${kind} `}${visibleTerminalLine(path)}${stateWords[state]}`;
  return [
    head,
    ...(diff === '' ? [] : indented(diff)),
    ...(since === '' ? [] : ['  changed since:', ...indented(since)]),
    ...(cut ? ['    … cut here'] : []),
  ];
}

function describe({ point, calls, files, gaps }: MethodOutput<'undo.show'>): string {
  const head = `${point.id}: ${visibleTerminalLine(point.agentName)} ${visibleTerminalLine(point.title)}`;
  const uncovered = gaps.map(({ path, why }) => `  ${visibleTerminalLine(path)}: ${gapWords[why]}`);
  return [
    calls > 1 ? `${head}, and ${calls - 1} more ${calls === 2 ? 'call' : 'calls'} of its turn` : head,
    '',
    ...files.flatMap(fileLines),
    ...(uncovered.length === 0 ? [] : ['', 'Not covered:', ...uncovered]),
  ].join('\n');
}

const targetOf = (point: string, { turn }: PointFlags) =>
  ({ point, whole: turn === true ? 'turn' : 'call' }) as const;

async function runUndoShow(args: readonly string[], flags: PointFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const plan = await call('undo.show', targetOf(args[0] ?? '', flags));
    show(flags.json === true, plan, describe(plan));
    return exitOk;
  });
}

async function runUndoApply(args: readonly string[], flags: PointFlags): Promise<number> {
  const target = targetOf(args[0] ?? '', flags);
  return withHost('running-host', async ({ call }) => {
    const { digest, files } = await call('undo.show', target);
    const changed = flags.replaceChanged === true ? 'restore' : 'keep';
    const done = await call('undo.apply', { ...target, digest, changed });
    const kept = done.kept.map((path) => {
      const since = files.some((file) => file.path === path && file.state === 'changed');
      return `Kept ${visibleTerminalLine(path)}${since ? ': it changed since; --replace-changed restores it, too.' : '.'}`;
    });
    const lines = [
      ...done.restored.map((path) => `Restored ${visibleTerminalLine(path)}`),
      ...kept,
      `To take this back: kennel undo apply ${done.point}`,
    ];
    show(flags.json === true, done, lines.join('\n'));
    return exitOk;
  });
}

const list = defineCommand({
  verb: 'list',
  args: '[agent]',
  isDefault: true,
  options: [
    { flags: '--task <number>' },
    { flags: '--before <point>' },
    { flags: '--limit <number>', fallback: '20' },
  ],
  examples: ['undo list', 'undo list guide --limit 5', 'undo list --task 3'],
  run: runUndoList,
});

const turnOption = { flags: '--turn' } as const;

const showChange = defineCommand({
  verb: 'show',
  args: '<point>',
  options: [turnOption],
  examples: ['undo show POINT', 'undo show POINT --turn', 'undo show POINT --json'],
  run: runUndoShow,
});

const apply = defineCommand({
  verb: 'apply',
  args: '<point>',
  options: [turnOption, { flags: '--replace-changed' }],
  examples: ['undo apply POINT', 'undo apply POINT --turn', 'undo apply POINT --replace-changed'],
  run: runUndoApply,
});

export const undoCommands: readonly CommandSpec[] = [list, showChange, apply];
