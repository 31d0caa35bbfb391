import type { HarnessView } from '../../contract/harnesses.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type StateCell, type TableCell } from '../table.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
}

function stateOf({ program, entry, isRunnable, login, protocol }: HarnessView): StateCell {
  if (program === null || entry === null) return { text: copy('cliRuntimes.missing'), tone: 'quiet' };
  if (!isRunnable) return { text: copy('cliRuntimes.notYet'), tone: 'quiet' };
  // The others get the model of their agent.
  if (login === 'no' && protocol !== 'acp') return { text: copy('cliRuntimes.loggedOut'), tone: 'bad' };
  return { text: copy('cliRuntimes.ready'), tone: 'good' };
}

const gateText = ({ gate }: HarnessView): string =>
  ({
    always: copy('cliRuntimes.asksAlways'),
    partly: copy('cliRuntimes.asksPartly'),
    never: copy('cliRuntimes.asksNever'),
  })[gate];

function hintOf(view: HarnessView): readonly string[] {
  const { title, program, entry, login, protocol, installCommand, loginCommand } = view;
  if (program === null || entry === null)
    return [copy('cliRuntimes.installWith', { title, command: installCommand })];
  return login === 'no' && protocol !== 'acp'
    ? [copy('cliRuntimes.logInWith', { title, command: loginCommand })]
    : [];
}

const rowOf = (view: HarnessView): readonly TableCell[] => [
  view.title,
  stateOf(view),
  view.version ?? '',
  gateText(view),
  view.program ?? '',
];

async function runRuntimes(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const { harnesses } = await call('harnesses.list', {});
    const heads = [
      copy('cliHeads.agent'),
      copy('cliHeads.state'),
      copy('cliHeads.version'),
      copy('cliRuntimes.asks'),
      copy('cliHeads.program'),
    ];
    const hints = harnesses.flatMap(hintOf);
    const table = columnsText(heads, harnesses.map(rowOf));
    const text = hints.length === 0 ? table : [table, '', ...hints];
    show(flags.json === true, { harnesses }, text);
    return exitOk;
  });
}

export const runtimesCommand = defineCommand({
  verb: '',
  examples: ['runtimes', 'runtimes --json', 'agent runtime guide --kind cli-local'],
  run: runRuntimes,
});
