import type { MethodOutput } from '../../contract/methods.ts';
import type { SnapshotView } from '../../contract/snapshot-methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type TableCell } from '../table.ts';
import { exitOk, show } from '../terminal.ts';
import { visibleTerminalLine } from '../visible-text.ts';
import { utcSecond } from '../when.ts';
import { parseWholeNumber } from '../whole-number.ts';
import { changeLines } from './change-lines.ts';
import { sizeText } from './file-lines.ts';

interface AgentFlags {
  readonly json?: boolean;
  readonly agent: string;
}

type Gaps = MethodOutput<'snapshots.diff'>['gaps'];

const nameOf = ({ id, label }: SnapshotView): string => (label === null ? id : visibleTerminalLine(label));

function whyOf({ reason, about }: SnapshotView): string {
  const why = copy(`cliSnapshots.reason_${reason}`);
  return about === null ? why : `${why}: ${shown(about)}`;
}

const heads = (): readonly string[] => [
  copy('cliHeads.id'),
  copy('cliHeads.label'),
  copy('cliHeads.when'),
  copy('cliHeads.files'),
  copy('cliHeads.size'),
  copy('cliHeads.reason'),
];

const snapshotRow = (snapshot: SnapshotView): readonly TableCell[] => [
  snapshot.id,
  snapshot.label ?? '',
  utcSecond(snapshot.at),
  String(snapshot.files),
  sizeText(snapshot.bytes),
  whyOf(snapshot),
];

function gapLines(gaps: Gaps): readonly string[] {
  if (gaps.length === 0) return [];
  const lines = gaps.map(({ path, why }) => `  ${visibleTerminalLine(path)}: ${copy(`cliUndo.gap_${why}`)}`);
  return ['', copy('cliUndo.notCovered'), ...lines];
}

async function runCreate(_: readonly string[], flags: AgentFlags & { label?: string }): Promise<number> {
  const { agent, label } = flags;
  return withHost('running-host', async ({ call }) => {
    const made = await call('snapshots.create', { agent, ...(label === undefined ? {} : { label }) });
    const { files, bytes } = made.snapshot;
    const line = copy('cliSnapshots.created', {
      name: nameOf(made.snapshot),
      files,
      size: sizeText(bytes),
    });
    show(flags.json === true, made, [line, ...gapLines(made.gaps)]);
    return exitOk;
  });
}

async function runList(
  _: readonly string[],
  flags: AgentFlags & { before?: string; limit: string },
): Promise<number> {
  const { agent, before } = flags;
  const limit = parseWholeNumber('--limit', flags.limit, 1, 200);
  return withHost('running-host', async ({ call }) => {
    const page = await call('snapshots.list', { agent, limit, ...(before === undefined ? {} : { before }) });
    const table = columnsText(heads(), page.snapshots.map(snapshotRow));
    const lines = [
      page.snapshots.length === 0 ? copy('cliSnapshots.none') : table,
      ...(page.next === null ? [] : [copy('cliUndo.more', { point: page.next })]),
    ];
    show(flags.json === true, page, lines);
    return exitOk;
  });
}

async function runDiff(args: readonly string[], flags: AgentFlags & { until?: string }): Promise<number> {
  const { agent, until } = flags;
  const target = { agent, snapshot: args[0] ?? '', ...(until === undefined ? {} : { until }) };
  return withHost('running-host', async ({ call }) => {
    const found = await call('snapshots.diff', target);
    const { files, fileCount, gaps } = found;
    const more = fileCount - files.length;
    const lines = [
      ...(files.length === 0 ? [copy('cliSnapshots.same')] : files.flatMap(changeLines)),
      ...(more > 0 ? [copy('cliSnapshots.moreFiles', { count: more })] : []),
      ...gapLines(gaps),
    ];
    show(flags.json === true, found, lines);
    return exitOk;
  });
}

async function runRestore(args: readonly string[], flags: AgentFlags): Promise<number> {
  const target = { agent: flags.agent, snapshot: args[0] ?? '' };
  return withHost('running-host', async ({ call }) => {
    const { digest } = await call('snapshots.diff', target);
    const done = await call('snapshots.restore', { ...target, digest });
    const lines = [
      ...done.restored.map((path) => copy('cliUndo.restored', { path: visibleTerminalLine(path) })),
      ...done.kept.map((path) => copy('cliUndo.kept', { path: visibleTerminalLine(path) })),
      copy('cliSnapshots.conversation', { count: done.told }),
      copy('cliSnapshots.before', { id: done.before.id }),
      copy('cliUndo.takeBack', { point: done.point }),
    ];
    show(flags.json === true, done, lines);
    return exitOk;
  });
}

async function runRemove(args: readonly string[], flags: AgentFlags): Promise<number> {
  return withHost('running-host', async ({ call }) => {
    const done = await call('snapshots.remove', { agent: flags.agent, snapshot: args[0] ?? '' });
    show(flags.json === true, done, [copy('cliSnapshots.removed', { name: nameOf(done.snapshot) })]);
    return exitOk;
  });
}

const agentOption = { flags: '--agent <agent>', isRequired: true } as const;

const create = defineCommand({
  verb: 'create',
  options: [agentOption, { flags: '--label <text>' }],
  examples: [
    'snapshot create --agent guide',
    'snapshot create --agent guide --label "before the rewrite"',
    'snapshot create --agent guide --json',
  ],
  run: runCreate,
});

const list = defineCommand({
  verb: 'list',
  isDefault: true,
  options: [agentOption, { flags: '--before <snapshot>' }, { flags: '--limit <number>', fallback: '20' }],
  examples: [
    'snapshot list --agent guide',
    'snapshot list --agent guide --limit 5',
    'snapshot list --agent guide --json',
  ],
  run: runList,
});

const diff = defineCommand({
  verb: 'diff',
  args: '<snapshot>',
  options: [agentOption, { flags: '--until <snapshot>' }],
  examples: [
    'snapshot diff SNAPSHOT --agent guide',
    'snapshot diff SNAPSHOT --until LATER --agent guide',
    'snapshot diff SNAPSHOT --agent guide --json',
  ],
  run: runDiff,
});

const restore = defineCommand({
  verb: 'restore',
  args: '<snapshot>',
  options: [agentOption],
  examples: [
    'snapshot restore SNAPSHOT --agent guide',
    'snapshot restore "before the rewrite" --agent guide',
    'snapshot restore SNAPSHOT --agent guide --json',
  ],
  run: runRestore,
});

const remove = defineCommand({
  verb: 'remove',
  args: '<snapshot>',
  options: [agentOption],
  examples: [
    'snapshot remove SNAPSHOT --agent guide',
    'snapshot remove "before the rewrite" --agent guide',
    'snapshot remove SNAPSHOT --agent guide --json',
  ],
  run: runRemove,
});

export const snapshotCommands: readonly CommandSpec[] = [create, list, diff, restore, remove];
