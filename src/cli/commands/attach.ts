import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MethodOutput } from '../../contract/methods.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { canAsk, commandFailure, exitFailed, exitOk, shownText } from '../terminal.ts';

const againMs = 1_000;

type Ready = Extract<MethodOutput<'agents.attach'>, { state: 'ready' }>;

const tell = (text: string): void => void process.stderr.write(`${shownText(text)}\n`);

/** Waits for the end of the running turn; the agent's next turns wait already. */
async function attach({ call }: HostSession, agent: string): Promise<Ready> {
  const { pid } = process;
  let attached = await call('agents.attach', { agent, pid });
  if (attached.state === 'busy') tell(copy('cliAttach.waiting', { agent }));
  while (attached.state === 'busy') {
    await sleep(againMs);
    attached = await call('agents.attach', { agent, pid });
  }
  return attached;
}

/** Runs the program in this terminal, and resolves with its exit code. */
function run({ argv: [program = '', ...args], env, cwd }: Ready): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, cwd, stdio: 'inherit' });
    // The program decides what Ctrl-C means.
    const ignore = (): void => undefined;
    process.on('SIGINT', ignore);
    const end = (code: number): void => {
      process.off('SIGINT', ignore);
      resolve(code);
    };
    child.once('error', () => end(exitFailed));
    child.once('exit', (code, signal) =>
      end(signal ? 128 + constants.signals[signal] : (code ?? exitFailed)),
    );
  });
}

async function runAttach([agent = '']: readonly string[]): Promise<number> {
  if (!canAsk()) throw commandFailure('unsupported', 'cliAttach.noTerminal');
  return withHost('running-host', async (session) => {
    const ready = await attach(session, agent);
    tell(copy('cliAttach.begun', { title: ready.title, agent }));
    const code = await run(ready);
    await session.call('agents.detach', { agent, pid: process.pid });
    tell(copy('cliAttach.ended', { agent }));
    return code === 0 ? exitOk : exitFailed;
  });
}

export const attachCommand = defineCommand({
  verb: '',
  args: '<agent>',
  examples: ['attach guide', 'ps', 'ps logs guide'],
  run: runAttach,
});
