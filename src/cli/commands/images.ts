import { resolve } from 'node:path';
import type { EngineView, ImageJob } from '../../contract/container-images.ts';
import { harnessIdSchema, harnessIds } from '../../contract/harnesses.ts';
import type { MethodInput } from '../../contract/methods.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { progress } from '../progress.ts';
import { columnsText, type StateCell, type TableCell } from '../table.ts';
import { CommandFailure, commandFailure, exitOk, show } from '../terminal.ts';
import { printable } from '../visible-text.ts';

interface Flags {
  readonly json?: boolean;
}

const engineLine = ({ name, state, why }: EngineView): string => {
  switch (state) {
    case 'ready':
      return copy('cliImages.engineReady', { engine: name });
    case 'noPermission':
      return copy('cliImages.engineNoPermission', { engine: name });
    case 'notRunning':
      return copy('cliImages.engineNotRunning', { engine: name });
    default:
      return copy('cliImages.engineFailed', { engine: name, why });
  }
};

const stateOf = (isThere: boolean): StateCell =>
  isThere
    ? { text: copy('cliImages.isThere'), tone: 'good' }
    : { text: copy('cliImages.isMissing'), tone: 'quiet' };

async function runList(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const listed = await call('images.list', {});
    const { engines, images } = listed;
    const rows = images.map(({ harness, image, isThere }): readonly TableCell[] => [
      harness,
      image,
      stateOf(isThere),
    ]);
    const heads = [copy('cliHeads.program'), copy('cliImages.image'), copy('cliHeads.state')];
    const lines = engines.length === 0 ? [copy('cliImages.noEngine')] : engines.map(engineLine);
    show(flags.json === true, listed, [columnsText(heads, rows), '', ...lines]);
    return exitOk;
  });
}

/** Prints the lines of the engine on standard error until the job ends. */
async function follow({ call }: HostSession, begun: ImageJob, flags: Flags): Promise<number> {
  let job: ImageJob | null = begun;
  let seen = 0;
  for (;;) {
    const { lines, lineCount, state, image, error }: ImageJob = job;
    const fresh = Math.min(lineCount - seen, lines.length);
    if (flags.json !== true && fresh > 0)
      for (const line of lines.slice(-fresh)) progress.note(printable(line));
    seen = lineCount;
    if (state === 'failed' && error) throw new CommandFailure(error);
    if (state !== 'running') {
      show(flags.json === true, { job }, copy('cliImages.done', { image }));
      return exitOk;
    }
    job = (await call('images.wait', { seen })).job;
    if (!job) throw commandFailure('cancelled', 'cliTerminal.cancelled');
  }
}

interface BuildFlags extends Flags {
  readonly base?: string;
  readonly recipe?: string;
}

function runBuild([name = '']: readonly string[], flags: BuildFlags): Promise<number> {
  const harness = harnessIdSchema.safeParse(name);
  if (!harness.success)
    throw commandFailure('not_found', 'cliRuntimes.unknown', { name, known: harnessIds.join(', ') });
  const wish: MethodInput<'images.build'> = {
    harness: harness.data,
    ...(flags.base === undefined ? {} : { base: flags.base }),
    ...(flags.recipe === undefined ? {} : { recipe: resolve(flags.recipe) }),
  };
  return withHost('files', async (session) =>
    follow(session, (await session.call('images.build', wish)).job, flags),
  );
}

const runPull = ([image = '']: readonly string[], flags: Flags): Promise<number> =>
  withHost('files', async (session) =>
    follow(session, (await session.call('images.pull', { image })).job, flags),
  );

interface ImportFlags extends Flags {
  readonly name?: string;
}

const runImport = ([file = '']: readonly string[], flags: ImportFlags): Promise<number> =>
  withHost('files', async (session) => {
    const wish = {
      file: resolve(file),
      ...(flags.name === undefined ? {} : { image: flags.name }),
    };
    return follow(session, (await session.call('images.import', wish)).job, flags);
  });

const list = defineCommand({
  verb: 'list',
  isDefault: true,
  examples: ['images', 'images --json', 'agent runtime guide --kind cli-docker --harness pi'],
  run: runList,
});

const build = defineCommand({
  verb: 'build',
  args: '<program>',
  options: [{ flags: '--base <image>' }, { flags: '--recipe <file>' }],
  examples: [
    'images build pi',
    'images build claude-code --base registry.example.com/node:24',
    'images build pi --recipe Containerfile',
  ],
  run: runBuild,
});

const pull = defineCommand({
  verb: 'pull',
  args: '<image>',
  examples: [
    'images pull registry.example.com/agents:3',
    'agent runtime guide --docker-image registry.example.com/agents:3',
    'images pull registry.example.com/agents:3 --json',
  ],
  run: runPull,
});

const importFile = defineCommand({
  verb: 'import',
  args: '<file>',
  options: [{ flags: '--name <image>' }],
  examples: [
    'images import agents.tar',
    'images import rootfs.tar --name localhost/agents:1',
    'images import agents.tar --json',
  ],
  run: runImport,
});

export const imageCommands: readonly CommandSpec[] = [list, build, pull, importFile];
