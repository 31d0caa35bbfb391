import type { DiskPort } from '../../core/ports.ts';
import type { HostContext } from '../context.ts';
import type { HostPorts } from '../host-ports.ts';
import type { ToolParts } from './agent-kit.ts';

/** Shared parts of all agents' tools, created on first use. */
export function createToolParts(
  ports: HostPorts,
  disk: DiskPort,
  limits: () => { readonly command_s: number; readonly working_dir: string },
  puppy: ToolParts['puppy'],
  context: () => HostContext,
): () => Promise<ToolParts> {
  let found: Promise<ToolParts> | null = null;
  const find = async (): Promise<ToolParts> => {
    const [{ createProcessPort }, { findBubblewrap }, { createImageShrinker }, { agentTasks }] =
      await Promise.all([
        import('../../services/executors/process.ts'),
        import('../../services/executors/bubblewrap.ts'),
        import('../../services/files/shrink-image.ts'),
        import('../tasks/agent-tasks.ts'),
      ]);
    const process = createProcessPort(ports);
    const sandbox = await findBubblewrap({ process, hidden: [ports.home] });
    const commands = { process, sandbox, commandSeconds: () => limits().command_s };
    const images = createImageShrinker(ports.clock);
    const tasks: ToolParts['tasks'] = (agentId) => agentTasks(context(), agentId);
    return { ports, disk, commands, images, puppy, tasks, workingDir: () => limits().working_dir };
  };
  return () => {
    found ??= find();
    found.catch(() => {
      found = null;
    });
    return found;
  };
}
