import type { MethodOutput } from '../../contract/methods.ts';
import { withHost } from '../session.ts';
import { exitOk, show } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
}

export async function runStop(args: readonly string[], flags: Flags): Promise<number> {
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
    ({ name, offered, why }) => `  ${offered ? 'yes' : 'no '}  ${name.padEnd(width)}  ${why}`,
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

export async function runTools(args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const view = await call('agents.tools', { agent: args[0] ?? '' });
    show(flags.json === true, view, toolLines(view));
    return exitOk;
  });
}
