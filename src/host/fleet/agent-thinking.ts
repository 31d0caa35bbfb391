import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { mayKnowAlways } from '../../core/policy/audience.ts';
import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import { notesLeftOut } from '../../core/policy/audience-words.ts';
import type { TurnContext } from '../../core/supervisor/worker-ports.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AgentCapabilities } from './agent-post.ts';
import { createReadLog } from './audiences.ts';
import { type RuntimeOf, type RuntimeSources, thinkingParts } from './loop-runtime.ts';
import { type ContextDeps, readTurnContext } from './turn-context.ts';

/** Prompt, model and tools of an agent, for chat turns and tasks. */
export type AgentThinking = Pick<AgentCapabilities, 'thinking' | 'context' | 'audience' | 'reads'>;

type Sources = RuntimeSources & { readonly ports: HostPorts; readonly context: ContextDeps };

async function skillsText({ folders, context }: Sources, id: string, config: AgentConfig): Promise<string> {
  const { lookAtSkills } = await import('./agent-skills.ts');
  const { agents, disk, log } = context;
  const agent = agents.get(id);
  if (!agent) return '';
  return (await lookAtSkills({ disk, log }, agent, folders.roots(agent, config))).text;
}

/** The prompt contains notes only if all readers of the answer may know them (T9). */
async function mayKnowNotes(audience: AudiencePort, roomId: string | null): Promise<boolean> {
  if (roomId === null || audience.isOwnRoom(roomId)) return true;
  return mayKnowAlways(await audience.of(roomId), 'notes', audience.shares());
}

function withoutNotes(context: TurnContext): TurnContext {
  const { prompt, untrustedNotes } = context;
  if (prompt.memory === '' && untrustedNotes === '') return context;
  return { ...context, prompt: { ...prompt, memory: notesLeftOut }, untrustedNotes: '' };
}

export function agentThinking(sources: Sources, id: string, of: RuntimeOf): AgentThinking {
  const { slug } = of.living.opened.identity;
  return {
    audience: of.audience,
    reads: createReadLog(of.living.opened.store),
    thinking: () => thinkingParts(sources, id, of),
    context: async (roomId) => {
      const skills = await skillsText(sources, id, of.config());
      const context = readTurnContext(sources.context, id, slug, of.config(), skills);
      return (await mayKnowNotes(of.audience, roomId)) ? context : withoutNotes(context);
    },
  };
}
