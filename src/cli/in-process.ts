import type { HostApi } from '../contract/host-api.ts';
import type { Principal } from '../contract/method-row.ts';
import { createHost } from '../host/create-host.ts';
import { nodePorts } from '../host/node-ports.ts';
import type { HostConnection } from './host-client.ts';
import { CommandFailure } from './terminal.ts';

export { createHost, nodePorts };

// A command with its own host makes the same calls as one that uses the socket.

const owner: Principal = { kind: 'owner-cli' };

export function inProcessConnection(api: HostApi): HostConnection {
  return {
    call: (method, input) => api.call(owner, method, input) as never,
    subscribe(topic, sink) {
      const opened = api.subscribe(owner, topic, sink);
      return opened.ok ? opened.value : () => undefined;
    },
    close: () => undefined,
  };
}

/**
 * A host inside this command, without a network. `files` holds the folder's lock while the command runs.
 * `look` changes nothing and does not create the folder.
 */
export async function openOwnHost(
  home: string,
  mode: 'files' | 'look',
): Promise<{ connection: HostConnection; stop(): Promise<void> }> {
  const created = await createHost(await nodePorts({ home, env: process.env, serveWeb: false, mode }));
  if (!created.ok) throw new CommandFailure(created.error);
  const host = created.value;
  await host.ready;
  return { connection: inProcessConnection(host), stop: () => host.stop('the command is done') };
}
