import type { AgentSummary } from '../../contract/model.ts';
import { Avatar } from '../parts/name.tsx';
import { useOwnPicture, usePicture } from '../state/pictures.ts';
import { useAgentBySlug } from '../state/subscriptions.ts';

export function AgentAvatar({ agent }: { agent: AgentSummary }) {
  return <Avatar name={agent.displayName} slug={agent.slug ?? agent.id} url={usePicture(agent)} agent />;
}

/** Avatar of a message's sender; own agents and the operator have their picture. */
export function SpeakerAvatar({ slug, name, agent }: { slug: string; name: string; agent: boolean }) {
  const own = useAgentBySlug(agent ? slug : null);
  const picture = usePicture(own);
  const mine = useOwnPicture(agent ? '' : slug);
  return <Avatar name={name} slug={slug} url={agent ? picture : mine} agent={agent} />;
}
