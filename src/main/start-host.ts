/** Starts the host in this process with the real ports of the machine. Loaded after the window is on its way. */
import type { Result } from '../contract/result.ts';
import { createHost } from '../host/create-host.ts';
import type { Host } from '../host/host-ports.ts';
import { nodePorts } from '../host/node-ports.ts';

export async function startHost(home: string): Promise<Result<Host>> {
  const relaunch = { command: process.execPath, args: process.argv.slice(1) };
  // Nothing listens on loopback for the page: the window has its own way in.
  return createHost(await nodePorts({ home, env: process.env, mode: 'full', serveWeb: false, relaunch }));
}
