import type { MemoryPort } from '../../core/memory-ports.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { memoryFolder } from '../../services/agent-store/agent-folder.ts';
import { createAgentMemory } from '../../services/agent-store/agent-memory.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';

/** An agent's notes, for its tools and for the operator alike; what one changes the other sees. */
export const memoryOf = (disk: DiskPort, clock: Clock, agent: LoadedAgent): MemoryPort =>
  createAgentMemory({ folder: memoryFolder(agent.folder, agent.lastGood), disk, clock });
