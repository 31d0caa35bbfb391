import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { conversationIn, threadKey } from '../../core/agents/thread-key.ts';
import type { TaskOrigin } from '../../core/tasks/task.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { HostContext } from '../context.ts';

/** Finds an agent by id, slug or display name. */
export function agentIdOf({ agents }: Pick<HostContext, 'agents'>, wanted: string): Result<string> {
  const found = findAgent(agents, wanted);
  if (found.ok) return ok(found.value.id);
  const same = (name: string | undefined): boolean => name?.toLowerCase() === wanted.toLowerCase();
  const named = agents.list().filter(({ lastGood }) => same(lastGood?.display_name));
  const [only] = named;
  if (named.length > 1) {
    return err(
      appError('invalid_input', `Several agents are called "${wanted}".`, {
        hint: `Use one of: ${named.map(({ id }) => id).join(', ')}.`,
      }),
    );
  }
  return only ? ok(only.id) : found;
}

interface Wanted {
  readonly room?: string | undefined;
  readonly rootId?: string | undefined;
}

/** The conversation for the result, as the executing agent sees it. */
export function originOf(
  { operator, fleet }: Pick<HostContext, 'operator' | 'fleet'>,
  via: TaskOrigin['via'],
  agentId: string | null,
  { room, rootId }: Wanted,
): Result<TaskOrigin> {
  if (room === undefined) return ok({ via, threadKey: null });
  const session = operator.session();
  if (!session) return err(appError('unavailable', 'You are not signed up at a server yet.'));
  const slug = dmSlug(room);
  if (slug === null) {
    const known = session.self.account.rooms().channels.some(({ id }) => id === room);
    if (!known) return err(appError('not_found', 'You are in no channel of that id.'));
    return ok({ via, threadKey: threadKey(conversationIn(room, rootId ?? null)) });
  }
  if (agentId === null || fleet.post(agentId)?.slug !== slug) {
    return err(
      appError('invalid_input', 'A result goes into the direct messages of the agent that does the task.', {
        hint: 'Name that agent, or choose a channel.',
      }),
    );
  }
  const there = { kind: 'dm', slug: session.self.slug, rootId: rootId ?? null } as const;
  return ok({ via, threadKey: threadKey(there) });
}
