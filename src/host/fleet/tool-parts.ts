import type { DiskPort } from '../../core/ports.ts';
import type { HostPorts } from '../host-ports.ts';
import type { ToolParts } from './agent-kit.ts';

/** What the tools of all agents share; looked for when the first of them is needed. */
export function createToolParts(
  ports: HostPorts,
  disk: DiskPort,
  commandSeconds: () => number,
): () => Promise<ToolParts> {
  let found: Promise<ToolParts> | null = null;
  const find = async (): Promise<ToolParts> => {
    const [{ createProcessPort }, { findBubblewrap }] = await Promise.all([
      import('../../services/executors/process.ts'),
      import('../../services/executors/bubblewrap.ts'),
    ]);
    const process = createProcessPort(ports);
    const sandbox = await findBubblewrap({ process, hidden: [ports.home] });
    return { ports, disk, commands: { process, sandbox, commandSeconds } };
  };
  return () => {
    found ??= find();
    found.catch(() => {
      found = null;
    });
    return found;
  };
}
