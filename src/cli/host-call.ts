import type { MethodInput, MethodName, MethodOutput } from '../contract/methods.ts';
import { dataFolder } from '../platform/data-folder.ts';
import { connectHost, type HostConnection } from './host-client.ts';
import { progress } from './progress.ts';
import { CommandFailure, commandFailure } from './terminal.ts';

// Commands call the running host; without one, commands that only need files get a host of their own.

export interface HostSession {
  readonly client: HostConnection;
  /** False for a host inside this command. */
  readonly running: boolean;
  /** Returns the value, or ends the command with the error. */
  call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>>;
}

export function createHostSession(client: HostConnection, running: boolean): HostSession {
  return {
    client,
    running,
    async call(method, input) {
      const result = await progress.during(client.call(method, input));
      if (!result.ok) throw new CommandFailure(result.error);
      return result.value;
    },
  };
}

export const hostIsNotRunning = (home: string): CommandFailure =>
  commandFailure('unavailable', 'cliTerminal.notRunning', { home }, { help: 'cliTerminal.startFirst' });

/** `files` and `look` need no running host; `look` is for commands that only read. */
type Needs = 'running-host' | 'files' | 'look';

async function openSession(home: string, needs: Needs) {
  const connection = await connectHost(home);
  if (connection) {
    return { session: createHostSession(connection, true), close: async () => connection.close() };
  }
  if (needs !== 'running-host') {
    const { openOwnHost } = await import('./in-process.ts');
    const own = await progress.during(openOwnHost(home, needs));
    return { session: createHostSession(own.connection, false), close: own.stop };
  }
  throw hostIsNotRunning(home);
}

export async function withHost<T>(needs: Needs, work: (session: HostSession) => Promise<T>): Promise<T> {
  const { session, close } = await openSession(dataFolder(process.env), needs);
  try {
    return await work(session);
  } finally {
    await close();
  }
}
