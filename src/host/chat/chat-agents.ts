import type { AgentSummary } from '../../contract/model.ts';
import type { Fleet } from '../fleet/fleet.ts';

/** The agents with an account, as the chat sees them. */
export function chatAgents(summaries: Readonly<Record<string, AgentSummary>>, fleet: Pick<Fleet, 'post'>) {
  return Object.values(summaries).flatMap(({ id, slug, displayName }) => {
    if (!slug) return [];
    const post = fleet.post(id);
    return [
      { id, slug, displayName, store: post?.store ?? null, working: post?.working ?? new Set<string>() },
    ];
  });
}
