import type { MethodOutput } from '../../contract/methods.ts';
import { defineCommand } from '../command.ts';
import { copy, shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
}

async function runStop(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('agents.stop', { agent });
    show(flags.json === true, { agent, stopped: true }, copy('cliAgents.stopped', { agent }));
    return exitOk;
  });
}

function toolLines(view: MethodOutput<'agents.tools'>): string {
  const width = Math.max(0, ...view.available.map(({ name }) => name.length));
  const [yes, no] = [copy('cliAgents.offered'), copy('cliAgents.notOffered')];
  const answerWidth = Math.max(yes.length, no.length);
  const lines = view.available.map(
    ({ name, offered, why }) =>
      `  ${(offered ? yes : no).padEnd(answerWidth)}  ${name.padEnd(width)}  ${shown(why)}`,
  );
  const { mode, thinking } = view;
  const arrival = copy(`cliAgents.arrival_${view.arrival}`);
  return [
    copy('cliAgents.mode', { mode, arrival, thinking }),
    copy('cliAgents.readsIn', { roots: view.roots.readable.join(', ') }),
    copy('cliAgents.writesIn', { roots: view.roots.writable.join(', ') }),
    ...(view.rules.length === 0 ? [] : [copy('cliAgents.ownRules', { count: view.rules.length })]),
    copy('cliAgents.tools'),
    ...lines,
  ].join('\n');
}

async function runTools(args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const view = await call('agents.tools', { agent: args[0] ?? '' });
    show(flags.json === true, view, toolLines(view));
    return exitOk;
  });
}

export const stopAgentCommand = defineCommand({
  verb: 'stop',
  args: '<agent>',
  summary: 'End the current turn of an agent',
  examples: [
    ['agent stop guide', 'End what it is doing now'],
    ['agent pause guide', 'Let it answer nothing from now on'],
    ['agent stop guide --json', 'End its turn in a script'],
  ],
  run: runStop,
});

export const toolsCommand = defineCommand({
  verb: 'tools',
  args: '<agent>',
  summary: 'List the tools of an agent and why it has them',
  examples: [
    ['agent tools guide', 'List all tools'],
    ['agent tools guide --json', 'Print them as JSON'],
    ["agent tools guide --json | jq -r '.roots.writable[]'", 'Print the folders it may write in'],
  ],
  run: runTools,
});
