import type { HarnessId } from '../../contract/harnesses.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { HarnessContainer } from '../../core/runtimes/harness-ports.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { defaultImage } from './container-recipe.ts';

/** Image and limits by agent.yml, then by daemon.yml. */
export function containerOf(
  { runtime, shell }: Pick<AgentConfig, 'runtime' | 'shell'>,
  harness: HarnessId,
  settings: Pick<DaemonSettings, 'config'>,
): HarnessContainer {
  const { docker_memory_limit, docker_memory_reservation } = settings.config();
  return {
    image: runtime.docker_image || defaultImage(harness),
    memory: runtime.docker_memory_limit || docker_memory_limit,
    memoryReservation: runtime.docker_memory_reservation || docker_memory_reservation,
    hosts: shell.allowed_hosts,
  };
}
