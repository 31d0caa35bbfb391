/** Starts the host in this process with the real ports of the machine. Loaded after the window is on its way. */
import type { Result } from '../contract/result.ts';
import { createHost } from '../host/create-host.ts';
import type { Host } from '../host/host-ports.ts';
import { nodePorts } from '../host/node-ports.ts';

export function startHost(home: string, version: string): Promise<Result<Host>> {
  return createHost(nodePorts({ home, version, rendererDir: null }));
}
