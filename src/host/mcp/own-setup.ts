import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createRefreshTools, type ModelOfAgent } from '../../services/tools/skills/refresh-tools.ts';
import { createServerTools } from '../../services/tools/skills/server-tools.ts';
import { createSkillTools } from '../../services/tools/skills/skill-tools.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';
import { installedRecord, skillShelf } from '../fleet/agent-skills.ts';

export interface OwnSetupDeps {
  readonly agents: Pick<AgentStore, 'get' | 'update'>;
  /** Starts and stops agents to match their files. */
  readonly applyAgents: () => void;
  readonly chooseModel: (agentId: string, config: AgentConfig) => Result<unknown>;
  readonly disk: DiskPort;
  readonly folders: Pick<AgentFolders, 'ready'>;
}

const maxBytes = 1024 * 1024;
const systemFile = z.object({ mcpServers: z.record(z.string(), z.unknown()).default({}) });

/** The agent's own home folder, where the official client keeps its user-level servers. */
function systemServers(disk: DiskPort, agent: LoadedAgent): readonly string[] {
  const text = disk.readText(join(agent.folder, '.claude.json'), maxBytes);
  const file = text.ok && text.value !== null ? jsonAs(systemFile, text.value) : null;
  return Object.keys(file?.mcpServers ?? {});
}

const gone = fail('not_found', 'programs.unknownAgent');

function ownModel(
  { agents, applyAgents, chooseModel }: OwnSetupDeps,
  { id, folder }: LoadedAgent,
): ModelOfAgent {
  const check: ModelOfAgent['check'] = (model) => {
    const agent = agents.get(id);
    if (!agent) return err(gone);
    const config = configInForce(agent);
    const chosen = chooseModel(id, { ...config, runtime: { ...config.runtime, model } });
    return chosen.ok ? ok(undefined) : chosen;
  };
  return {
    path: join(folder, 'agent.yml'),
    model: () => {
      const agent = agents.get(id);
      return agent ? configInForce(agent).runtime.model : '';
    },
    check,
    async use(model) {
      const fits = check(model);
      if (!fits.ok) return fits;
      const changed = agents.update(id, { runtime: { model } });
      if (!changed.ok) return changed;
      applyAgents();
      return ok(undefined);
    },
  };
}

/** Tools with which an agent configures itself: skills, MCP servers, model. */
export function ownSetupTools(deps: OwnSetupDeps, agent: LoadedAgent): readonly Tool[] {
  const { disk, folders } = deps;
  const files = createConfinedFiles(folders.ready(agent, configInForce(agent)));
  return [
    ...createRefreshTools(ownModel(deps, agent)),
    ...createSkillTools(skillShelf(disk, agent, files)),
    ...createServerTools({
      files,
      record: installedRecord(disk, agent),
      kind: () => configInForce(agent).runtime.kind,
      systemServers: () => systemServers(disk, agent),
    }),
  ];
}
