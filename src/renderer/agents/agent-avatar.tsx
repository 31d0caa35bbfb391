import type { AgentSummary } from '../../contract/model.ts';
import { Avatar } from '../parts/name.tsx';
import { usePicture } from '../state/pictures.ts';
import { useAgentBySlug } from '../state/subscriptions.ts';

export function AgentAvatar({ agent }: { agent: AgentSummary }) {
  return <Avatar name={agent.displayName} slug={agent.slug ?? agent.id} url={usePicture(agent)} agent />;
}

/** Whoever speaks in a room; own agents with their picture. */
export function SpeakerAvatar({ slug, name, agent }: { slug: string; name: string; agent: boolean }) {
  const own = useAgentBySlug(agent ? slug : null);
  return <Avatar name={name} slug={slug} url={usePicture(own)} agent={agent} />;
}
