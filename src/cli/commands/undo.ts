import type { MethodOutput } from '../../contract/methods.ts';
import type { RestorePointView } from '../../contract/undo-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type StateCell, type TableCell } from '../table.ts';
import { exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';
import { parseWholeNumber, taskNumber } from '../whole-number.ts';
import { changeLines } from './change-lines.ts';

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
  if (endedAt === null) return { text: copy('cliUndo.running'), tone: 'busy' };
  if (undoneBy !== null) return { text: copy('cliUndo.undone'), tone: 'quiet' };
  return { text: copy(tool === 'undo' ? 'cliUndo.undo' : 'cliUndo.done'), tone: 'good' };
}

const pointHeads = (): readonly string[] => [
  copy('cliHeads.point'),
  copy('cliHeads.state'),
  copy('cliHeads.started'),
  copy('cliHeads.agent'),
  copy('cliHeads.files'),
  copy('cliHeads.change'),
];

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
      page.points.length === 0 ? copy('cliUndo.none') : columnsText(pointHeads(), page.points.map(pointRow)),
      ...(page.next === null ? [] : [copy('cliUndo.more', { point: page.next })]),
    ];
    show(flags.json === true, page, lines);
    return exitOk;
  });
}

function describe({ point, calls, files, gaps }: MethodOutput<'undo.show'>): string {
  const head = `${point.id}: ${visibleTerminalLine(point.agentName)} ${visibleTerminalLine(point.title)}`;
  const uncovered = gaps.map(
    ({ path, why }) => `  ${visibleTerminalLine(path)}: ${copy(`cliUndo.gap_${why}`)}`,
  );
  return [
    calls > 1 ? copy('cliUndo.moreCalls', { head, count: calls - 1 }) : head,
    '',
    ...files.flatMap(changeLines),
    ...(uncovered.length === 0 ? [] : ['', copy('cliUndo.notCovered'), ...uncovered]),
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
      return copy(since ? 'cliUndo.keptChanged' : 'cliUndo.kept', { path: visibleTerminalLine(path) });
    });
    const lines = [
      ...done.restored.map((path) => copy('cliUndo.restored', { path: visibleTerminalLine(path) })),
      ...kept,
      copy('cliUndo.takeBack', { point: done.point }),
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
