/**
 * Starts the host in this process with the real platform ports. Loaded on demand, after the page's files were
 * served.
 */
import type { Result } from '../contract/result.ts';
import { createHost } from '../host/create-host.ts';
import { nodePorts } from '../host/node-ports.ts';
import { hostSocket } from './host-socket.ts';
import { type LinkedHost, linkHost } from './linked-host.ts';

/** Starts an own host, or connects to the one that holds the folder. `agents` false starts no agent. */
export async function startHost(home: string, agents: boolean): Promise<Result<LinkedHost>> {
  const relaunch = { command: process.execPath, args: process.argv.slice(1) };
  // No loopback server for the page, because the window uses IPC.
  const ports = await nodePorts({ home, env: process.env, mode: 'full', serveWeb: false, relaunch });
  return linkHost({
    startOwn: () => createHost({ ...ports, holdAgents: !agents }),
    openOther: hostSocket(home),
  });
}
