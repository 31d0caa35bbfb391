import {
  type CanaryCheck,
  canaryChecks,
  failedChecks,
  type HarnessView,
  harnessFacts,
  harnessHindrance,
  harnessIdSchema,
  harnessIds,
  lacksLogin,
  usesLogin,
} from '../../contract/harnesses.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type StateCell, type TableCell } from '../table.ts';
import { commandFailure, exitFailed, exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
}

function stateOf(view: HarnessView, hasWall: boolean): StateCell {
  if (view.program === null) return { text: copy('cliRuntimes.missing'), tone: 'quiet' };
  switch (harnessHindrance(view, hasWall)) {
    case 'notYet':
      return { text: copy('cliRuntimes.notYet'), tone: 'quiet' };
    case 'missing':
      return { text: copy('cliRuntimes.missing'), tone: 'quiet' };
    case 'failedTest':
      return { text: copy('cliRuntimes.failed'), tone: 'bad' };
    case 'needsWall':
      return { text: copy('cliRuntimes.needsSandbox'), tone: 'bad' };
    case null:
      return lacksLogin(view)
        ? { text: copy('cliRuntimes.loggedOut'), tone: 'bad' }
        : { text: copy('cliRuntimes.ready'), tone: 'good' };
  }
}

const gateText = ({ gate, canary, program }: HarnessView): string => {
  const text = gateTexts(gate);
  if (gate !== 'always' || program === null) return text;
  if (canary === null) return copy('cliRuntimes.notTested', { text });
  return failedChecks(canary).length === 0
    ? copy('cliRuntimes.tested', { text })
    : copy('cliRuntimes.failed');
};

const gateTexts = (gate: HarnessView['gate']): string =>
  ({
    always: copy('cliRuntimes.asksAlways'),
    partly: copy('cliRuntimes.asksPartly'),
    never: copy('cliRuntimes.asksNever'),
  })[gate];

function hintOf(view: HarnessView): readonly string[] {
  const { title, program, entry, installCommand, loginCommand } = view;
  if (program === null || entry === null)
    return [copy('cliRuntimes.installWith', { title, command: installCommand })];
  if (usesLogin(view)) return [copy('cliRuntimes.ownLogin', { title })];
  return lacksLogin(view) ? [copy('cliRuntimes.logInWith', { title, command: loginCommand })] : [];
}

const rowOf = (view: HarnessView, hasWall: boolean): readonly TableCell[] => [
  view.title,
  stateOf(view, hasWall),
  view.version ?? '',
  gateText(view),
  view.program ?? '',
];

async function runList(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { harnesses, hasWall } = await call('harnesses.list', {});
    const heads = [
      copy('cliHeads.agent'),
      copy('cliHeads.state'),
      copy('cliHeads.version'),
      copy('cliRuntimes.asks'),
      copy('cliHeads.program'),
    ];
    const hints = harnesses.flatMap(hintOf);
    const table = columnsText(
      heads,
      harnesses.map((view) => rowOf(view, hasWall)),
    );
    const text = hints.length === 0 ? table : [table, '', ...hints];
    show(flags.json === true, { harnesses, hasWall }, text);
    return exitOk;
  });
}

async function runTest([name = '']: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const id = harnessIdSchema.safeParse(name);
    if (!id.success)
      throw commandFailure('not_found', 'cliRuntimes.unknown', { name, known: harnessIds.join(', ') });
    const { canary } = await call('harnesses.test', { id: id.data });
    const rows = canaryChecks.map((check): readonly TableCell[] => [
      checkTexts()[check],
      canary.passed.includes(check)
        ? { text: copy('cliRuntimes.passed'), tone: 'good' }
        : { text: copy('cliRuntimes.failed'), tone: 'bad' },
    ]);
    const { title } = harnessFacts(id.data);
    show(
      flags.json === true,
      { canary },
      columnsText([`${title} ${canary.version}`, copy('cliHeads.state')], rows),
    );
    return failedChecks(canary).length === 0 ? exitOk : exitFailed;
  });
}

const checkTexts = (): Readonly<Record<CanaryCheck, string>> => ({
  shell: copy('cliRuntimes.checkShell'),
  edit: copy('cliRuntimes.checkEdit'),
  network: copy('cliRuntimes.checkNetwork'),
  subAgent: copy('cliRuntimes.checkSubAgent'),
  denial: copy('cliRuntimes.checkDenial'),
  rewrite: copy('cliRuntimes.checkRewrite'),
});

const list = defineCommand({
  verb: 'list',
  isDefault: true,
  examples: ['runtimes', 'runtimes --json', 'agent runtime guide --kind cli-local'],
  run: runList,
});

const test = defineCommand({
  verb: 'test',
  args: '<harness>',
  examples: ['runtimes test claude-code', 'runtimes', 'runtimes test claude-code --json'],
  run: runTest,
});

export const runtimesCommands: readonly CommandSpec[] = [list, test];
