/**
 * Creates every tool of this build for one agent, in a fixed order; `core/tools/tool-set.ts` decides which of
 * them the agent gets.
 */

import type { MemoryPort } from '../../core/agents/memory-port.ts';
import type { TeamChat } from '../../core/tools/chat-files.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { createEditFileTool } from './files/edit-file.ts';
import { createListDirTool } from './files/list-dir.ts';
import { createReadFileTool } from './files/read-file.ts';
import { createSearchFilesTool } from './files/search-files.ts';
import { createWriteFileTool } from './files/write-file.ts';
import { createMemoryTools } from './memory/memory-tools.ts';
import { createSearchTool, createSegmentTool } from './messaging/external-tools.ts';
import { createFileTools } from './messaging/file-tools.ts';
import { createMessagingTools } from './messaging/messaging-tools.ts';

export interface AgentToolDeps {
  /** Created once per start of the agent, so that its roots stay pinned. */
  readonly files: ConfinedFiles;
  readonly memory: MemoryPort;
  readonly messaging: TeamChat;
  /** The workspace alone, because only its files may be sent. */
  readonly workspace: ConfinedFiles;
  /** `bash_exec` and the opt-in `shell`, if they can run. */
  readonly commands: readonly Tool[];
}

export function createAgentTools({
  files,
  memory,
  messaging,
  workspace,
  commands,
}: AgentToolDeps): readonly Tool[] {
  return [
    createReadFileTool(files),
    createWriteFileTool(files),
    createEditFileTool(files),
    createListDirTool(files),
    createSearchFilesTool(files),
    ...commands,
    ...createMemoryTools(memory),
    ...createMessagingTools(messaging),
    ...createFileTools(messaging, workspace),
    createSegmentTool(messaging),
    createSearchTool(messaging),
  ];
}
