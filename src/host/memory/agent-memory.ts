import type { MemoryPort } from '../../core/agents/memory-port.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { memoryFolder } from '../../services/agent-store/agent-folder.ts';
import { createAgentMemory } from '../../services/agent-store/agent-memory.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';

/** An agent's notes, shared by its tools and the operator. */
export const memoryOf = (disk: DiskPort, clock: Clock, agent: LoadedAgent): MemoryPort =>
  createAgentMemory({ folder: memoryFolder(agent.folder, agent.lastGood), disk, clock });
