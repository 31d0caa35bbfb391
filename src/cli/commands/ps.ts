import type { HarnessProcessView } from '../../contract/harness-processes.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type TableCell } from '../table.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { sizeText } from './file-lines.ts';

interface Flags {
  readonly json?: boolean;
}

/** For example `42 s`, `7 min`, `3 h`. */
function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return copy('cliPs.seconds', { n: seconds });
  if (seconds < 7_200) return copy('cliPs.minutes', { n: Math.round(seconds / 60) });
  return copy('cliPs.hours', { n: Math.round(seconds / 3_600) });
}

const rowOf = ({
  agentId,
  program,
  pid,
  hasWall,
  container,
  startedAt,
  usage,
}: HarnessProcessView): readonly TableCell[] => [
  agentId,
  program,
  String(pid),
  container ?? (hasWall ? copy('cliPs.sandboxed') : copy('cliPs.open')),
  usage === null ? '' : copy('cliPs.seconds', { n: Math.round(usage.cpuMs / 1000) }),
  usage === null ? '' : sizeText(usage.memoryBytes),
  usage === null ? '' : String(usage.processes - 1),
  usage === null ? '' : String(usage.openFiles),
  ageText(Date.now() - startedAt),
];

const heads = (): readonly string[] => [
  copy('cliHeads.agent'),
  copy('cliHeads.program'),
  copy('cliPs.pid'),
  copy('cliPs.sandbox'),
  copy('cliPs.cpu'),
  copy('cliPs.memory'),
  copy('cliPs.children'),
  copy('cliPs.files'),
  copy('cliPs.age'),
];

async function runList(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { processes } = await call('harnesses.processes', {});
    const text = processes.length === 0 ? copy('cliPs.none') : columnsText(heads(), processes.map(rowOf));
    show(flags.json === true, { processes }, text);
    return exitOk;
  });
}

type Change = 'harnesses.endProcess' | 'harnesses.restartProcess';

const changeProcess =
  (method: Change) =>
  async ([pid = '']: readonly string[], flags: Flags): Promise<number> =>
    withHost('look', async ({ call }) => {
      const { processes } = await call('harnesses.processes', {});
      const found = processes.find((process) => String(process.pid) === pid);
      if (!found) throw commandFailure('not_found', 'cliPs.unknown', { pid });
      await call(method, { id: found.id });
      const values = { program: found.program, agent: found.agentId };
      const isStop = method === 'harnesses.endProcess';
      const text = isStop ? copy('cliPs.stopped', values) : copy('cliPs.restarted', values);
      show(flags.json === true, { process: found }, text);
      return exitOk;
    });

async function runLogs([agent = '']: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const log = await call('harnesses.log', { agent });
    const text = log.text.trimEnd() || copy('cliPs.noOutput', { program: log.program });
    show(flags.json === true, { log }, text.split('\n'));
    return exitOk;
  });
}

const list = defineCommand({
  verb: 'list',
  isDefault: true,
  examples: ['ps', 'ps --json', 'ps stop 4711'],
  run: runList,
});

const stop = defineCommand({
  verb: 'stop',
  args: '<pid>',
  examples: ['ps stop 4711', 'ps', 'ps stop 4711 --json'],
  run: changeProcess('harnesses.endProcess'),
});

const restart = defineCommand({
  verb: 'restart',
  args: '<pid>',
  examples: ['ps restart 4711', 'ps', 'ps restart 4711 --json'],
  run: changeProcess('harnesses.restartProcess'),
});

const logs = defineCommand({
  verb: 'logs',
  args: '<agent>',
  examples: ['ps logs guide', 'ps logs guide --json', 'logs guide'],
  run: runLogs,
});

export const psCommands: readonly CommandSpec[] = [list, stop, restart, logs];
