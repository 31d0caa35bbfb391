import type { MethodInput, MethodName, MethodOutput } from '../contract/methods.ts';
import { dataFolder } from './home.ts';
import { type Connection, connectHost } from './host-client.ts';
import { CommandFailure } from './terminal.ts';

// Commands speak to the running host; where none runs, those that only touch files get a host of their own.

export interface HostSession {
  readonly client: Connection;
  /** False: a host of this command's own. */
  readonly running: boolean;
  /** The value, or ends the command with the error. */
  call<M extends MethodName>(method: M, input: MethodInput<M>): Promise<MethodOutput<M>>;
}

function overSocket(client: Connection): HostSession {
  return {
    client,
    running: true,
    async call(method, input) {
      const result = await client.call(method, input);
      if (!result.ok) throw new CommandFailure(result.error);
      return result.value;
    },
  };
}

async function openSession(home: string, filesEnough: boolean) {
  const connection = await connectHost(home);
  if (connection) return { session: overSocket(connection), close: async () => connection.close() };
  if (filesEnough) return (await import('./in-process.ts')).openFilesOnly(home);
  throw new CommandFailure({
    code: 'unavailable',
    message: `Kennel is not running in ${home}.`,
    hint: 'Start it with "kennel start", then try again.',
  });
}

export async function withHost<T>(
  needs: 'running-host' | 'files',
  work: (session: HostSession) => Promise<T>,
): Promise<T> {
  const { session, close } = await openSession(dataFolder(process.env), needs === 'files');
  try {
    return await work(session);
  } finally {
    await close();
  }
}
