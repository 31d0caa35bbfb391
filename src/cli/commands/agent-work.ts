import type { MethodOutput } from '../../contract/methods.ts';
import { defineCommand } from '../command.ts';
import { shown } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
}

async function runStop(args: readonly string[], flags: Flags): Promise<number> {
  const agent = args[0] ?? '';
  return withHost('running-host', async ({ call }) => {
    await call('agents.stop', { agent });
    show(
      flags.json === true,
      { agent, stopped: true },
      `Stopped what ${agent} was doing. It goes on with the next message.`,
    );
    return exitOk;
  });
}

const arrivalWords = {
  steer: 'a message that comes while it works joins the turn',
  follow_up: 'a message that comes while it works waits for the next turn',
} as const;

function toolLines(view: MethodOutput<'agents.tools'>): string {
  const width = Math.max(0, ...view.available.map(({ name }) => name.length));
  const lines = view.available.map(
    ({ name, offered, why }) => `  ${offered ? 'yes' : 'no '}  ${name.padEnd(width)}  ${shown(why)}`,
  );
  return [
    `Mode: ${view.mode}; ${arrivalWords[view.arrival]}; thinking: ${view.thinking}.`,
    `Reads in:  ${view.roots.readable.join(', ')}`,
    `Writes in: ${view.roots.writable.join(', ')}`,
    ...(view.rules.length === 0 ? [] : [`Rules of its own: ${view.rules.length}`]),
    'Tools:',
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
