import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AgentHands } from './agent-post.ts';
import { type RuntimeOf, type RuntimeSources, thinkingParts } from './loop-runtime.ts';
import { type ContextDeps, readTurnContext } from './turn-context.ts';

/** What an agent is and thinks with, for the turns of its chats and for its tasks alike. */
export type AgentThinking = Pick<AgentHands, 'thinking' | 'context'>;

type Sources = RuntimeSources & { readonly ports: HostPorts; readonly context: ContextDeps };

/** Of the skills an agent has: names and descriptions. */
async function skillsText({ ports, context }: Sources, id: string, config: AgentConfig): Promise<string> {
  const [{ toolRoots }, { lookAtSkills }] = await Promise.all([
    import('./agent-kit.ts'),
    import('./agent-skills.ts'),
  ]);
  const { agents, settings, disk, log } = context;
  const agent = agents.get(id);
  if (!agent) return '';
  const workingDir = (): string => settings.config().limits.working_dir;
  const roots = toolRoots({ ports, workingDir }, agent, config);
  return (await lookAtSkills({ disk, log }, agent, roots)).text;
}

export function agentThinking(sources: Sources, id: string, of: RuntimeOf): AgentThinking {
  const { slug } = of.living.opened.identity;
  return {
    thinking: () => thinkingParts(sources, id, of),
    context: async () =>
      readTurnContext(sources.context, id, slug, of.config(), await skillsText(sources, id, of.config())),
  };
}
