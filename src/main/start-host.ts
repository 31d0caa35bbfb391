/** Starts the host in this process with the real ports of the machine. Loaded when it is first asked for, after the page's files. */
import type { Result } from '../contract/result.ts';
import { createHost } from '../host/create-host.ts';
import { nodePorts } from '../host/node-ports.ts';
import { hostSocket } from './host-socket.ts';
import { type LinkedHost, linkHost } from './linked-host.ts';

/** Starts a host of our own, or finds the one that has the folder. `agents` false: none of them is started. */
export async function startHost(home: string, agents: boolean): Promise<Result<LinkedHost>> {
  const relaunch = { command: process.execPath, args: process.argv.slice(1) };
  // Nothing listens on loopback for the page: the window has its own way in.
  const ports = await nodePorts({ home, env: process.env, mode: 'full', serveWeb: false, relaunch });
  return linkHost({
    startOwn: () => createHost({ ...ports, holdAgents: !agents }),
    openOther: hostSocket(home),
  });
}
