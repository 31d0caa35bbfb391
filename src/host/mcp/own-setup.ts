import { join } from 'node:path';
import { z } from 'zod';
import { appError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createRefreshTools, type OwnModel } from '../../services/tools/skills/refresh-tools.ts';
import { createServerTools } from '../../services/tools/skills/server-tools.ts';
import { createSkillTools } from '../../services/tools/skills/skill-tools.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import { makeWorkspace, toolRoots } from '../fleet/agent-kit.ts';
import { installedRecord, skillShelf } from '../fleet/agent-skills.ts';

type Parts = Pick<HostContext, 'agents' | 'fleet' | 'disk' | 'ports' | 'settings' | 'models'>;

const maxBytes = 1024 * 1024;
const systemFile = z.object({ mcpServers: z.record(z.string(), z.unknown()).default({}) });

/** The agent's own home folder, where the official client keeps its user-level servers. */
function systemServers({ disk }: Parts, agent: LoadedAgent): readonly string[] {
  const text = disk.readText(join(agent.folder, '.claude.json'), maxBytes);
  const file = text.ok && text.value !== null ? jsonAs(systemFile, text.value) : null;
  return Object.keys(file?.mcpServers ?? {});
}

const gone = appError('not_found', 'This agent is not known here any more.');

function ownModel({ agents, fleet, models }: Parts, { id, folder }: LoadedAgent): OwnModel {
  const check: OwnModel['check'] = (model) => {
    const agent = agents.get(id);
    if (!agent) return err(gone);
    const config = configInForce(agent);
    const chosen = models.choose(id, { ...config, runtime: { ...config.runtime, model } });
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
      fleet.apply();
      return ok(undefined);
    },
  };
}

/** Tools with which an agent configures itself: skills, MCP servers, model. */
export function ownSetupTools(parts: Parts, agent: LoadedAgent): readonly Tool[] {
  const { ports, disk, settings } = parts;
  const config = configInForce(agent);
  const roots = toolRoots({ ports, workingDir: () => settings.config().limits.working_dir }, agent, config);
  makeWorkspace(roots.cwd, ports.log);
  const files = createConfinedFiles(roots);
  return [
    ...createRefreshTools(ownModel(parts, agent)),
    ...createSkillTools(skillShelf(disk, agent, files)),
    ...createServerTools({
      files,
      record: installedRecord(disk, agent),
      kind: () => configInForce(agent).runtime.kind,
      systemServers: () => systemServers(parts, agent),
    }),
  ];
}
