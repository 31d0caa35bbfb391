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
  const arrival = copy(`cliAgents.arrival_${view.canSteer ? view.arrival : 'follow_up'}`);
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
  examples: ['agent stop guide', 'agent pause guide', 'agent stop guide --json'],
  run: runStop,
});

export const toolsCommand = defineCommand({
  verb: 'tools',
  args: '<agent>',
  examples: [
    'agent tools guide',
    'agent tools guide --json',
    "agent tools guide --json | jq -r '.roots.writable[]'",
  ],
  run: runTools,
});
