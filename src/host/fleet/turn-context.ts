import { join } from 'node:path';
import { runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { memorySnapshot } from '../../core/agents/memory.ts';
import { untrustedNotes } from '../../core/agents/note-lines.ts';
import { primerMissing, primerPath, primerText } from '../../core/agents/primer.ts';
import { mayKnowAlways } from '../../core/policy/audience.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import { notesLeftOut } from '../../core/policy/audience-text.ts';
import type { DiskPort, Log } from '../../core/ports.ts';
import type { TurnContext } from '../../core/supervisor/worker-ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { AgentFolders } from './agent-folders.ts';
import type { ContextOf } from './agent-turns.ts';

const maxPrimerBytes = 256 * 1024;

export interface TurnContextDeps {
  readonly home: string;
  readonly disk: DiskPort;
  readonly agents: Pick<AgentStore, 'readProfile' | 'readMemory'>;
  readonly settings: Pick<DaemonSettings, 'maxInlineChars' | 'segmentChars'>;
  readonly log: Log;
}

/** The shared primer on disk, restored if missing. */
function readPrimer({ home, disk, log }: Pick<TurnContextDeps, 'home' | 'disk' | 'log'>): string {
  const path = join(home, primerPath);
  const onDisk = disk.readText(path, maxPrimerBytes);
  const text = onDisk.ok ? onDisk.value : primerText;
  if (!primerMissing(text)) return text ?? primerText;
  const restored = disk.write(path, primerText);
  log.info('primer_restored', { written: restored.ok });
  return primerText;
}

/** Context about the agent for its next turn; read from disk each time, so edits apply at once. */
export function readTurnContext(
  deps: TurnContextDeps,
  id: string,
  slug: string,
  config: AgentConfig,
  skills = '',
): TurnContext {
  const profile = deps.agents.readProfile(id);
  const memory = deps.agents.readMemory(id);
  if (!profile.ok) deps.log.warn('profile_unreadable', { agent: id, message: profile.error.message });
  if (!memory.ok) deps.log.warn('memory_unreadable', { agent: id, message: memory.error.message });
  return {
    prompt: {
      primer: readPrimer(deps),
      profile: profile.ok ? profile.value : '',
      memory: memory.ok ? memorySnapshot(memory.value) : '',
      skills,
    },
    untrustedNotes: memory.ok ? untrustedNotes(memory.value) : '',
    persona: { displayName: config.display_name || id, slug, role: config.role },
    maxInlineChars: deps.settings.maxInlineChars(),
    segmentChars: deps.settings.segmentChars(),
    plainModel: runtimeKindFacts(config.runtime.kind).callsModel,
    onArrival: config.on_arrival,
  };
}

export interface AgentContextsDeps extends TurnContextDeps {
  readonly skillsOf: (agentId: string, config: AgentConfig) => Promise<string>;
}

/** Context of an agent's turn whose answer the room `roomId` reads; `null` if only the operator does. */
export const createAgentContexts =
  (deps: AgentContextsDeps) =>
  async ({ opened, audience, config }: ContextOf, roomId: string | null): Promise<TurnContext> => {
    const { id, identity } = opened;
    const skills = await deps.skillsOf(id, config());
    const context = readTurnContext(deps, id, identity.slug, config(), skills);
    return (await mayKnowNotes(audience, roomId)) ? context : withoutNotes(context);
  };

export interface SkillTextsDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly folders: Pick<AgentFolders, 'roots' | 'syncSkills'>;
  readonly disk: DiskPort;
  readonly log: Log;
}

/** Brings the skills of an agent up to date. The skills as text for its prompt; empty if none exist. */
export const createSkillTexts =
  ({ agents, folders, disk, log }: SkillTextsDeps) =>
  async (agentId: string, config: AgentConfig): Promise<string> => {
    const { installedRecord, lookAtSkills } = await import('./agent-skills.ts');
    const agent = agents.get(agentId);
    if (!agent) return '';
    await folders.syncSkills(agent, config, installedRecord(disk, agent));
    return (await lookAtSkills({ disk, log }, agent, folders.roots(agent, config))).text;
  };

/** The prompt contains notes only if all readers of the answer may know them (T9). */
async function mayKnowNotes(audience: AudiencePort, roomId: string | null): Promise<boolean> {
  if (roomId === null || audience.isOwnRoom(roomId)) return true;
  return mayKnowAlways(await audience.of(roomId), 'notes', audience.shares());
}

function withoutNotes(context: TurnContext): TurnContext {
  const { prompt, untrustedNotes: notes } = context;
  if (prompt.memory === '' && notes === '') return context;
  return { ...context, prompt: { ...prompt, memory: notesLeftOut }, untrustedNotes: '' };
}
