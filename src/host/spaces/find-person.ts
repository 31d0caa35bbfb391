import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';

/** A person or agent by slug, with the agent id if it is an own agent. */
export interface Whom {
  readonly slug: string;
  readonly agentId: string | null;
}

export interface FindPersonDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  /** Members of the operator's rooms. */
  people(): Iterable<{ readonly slug: string; readonly displayName: string }>;
}

/** Accepts no display names, because anyone can choose another person's. */
export function findByHandle(deps: FindPersonDeps, wanted: string): Result<Whom> {
  const whom = findWhom(deps, wanted);
  if (!whom.ok || whom.value.agentId !== null) return whom;
  const { slug } = whom.value;
  if (wanted.trim().replace(/^@/, '') === slug) return whom;
  return err(
    fail(
      'invalid_input',
      'spaces.handleRequired',
      { wanted, slug },
      { help: 'spaces.useHandle', where: 'who' },
    ),
  );
}

const notRegistered = (id: string): AppError =>
  fail('conflict', 'spaces.agentCannotJoin', { id }, { help: 'chat.fillPuffoCore' });

/**
 * Resolves an own agent by id or slug, a member of the operator's rooms by slug or display name, else any
 * slug.
 */
export function findWhom(deps: FindPersonDeps, wanted: string): Result<Whom> {
  const who = wanted.trim().replace(/^@/, '');
  const all = deps.agents.list();
  const own =
    all.find(({ id }) => id === who) ?? all.find(({ lastGood }) => lastGood?.puffo_core.slug === who);
  if (own) {
    const { slug } = configInForce(own).puffo_core;
    return slug === '' ? err(notRegistered(own.id)) : ok({ slug, agentId: own.id });
  }
  const people = [...deps.people()];
  if (people.some(({ slug }) => slug === who)) return ok({ slug: who, agentId: null });
  const named = people.filter(({ displayName }) => displayName.toLowerCase() === who.toLowerCase());
  if (named.length > 1) {
    return err(
      fail(
        'invalid_input',
        'chat.ambiguousPerson',
        { name: who, names: named.map(({ slug }) => slug).join(', ') },
        { help: 'models.useOneOf', where: 'who' },
      ),
    );
  }
  const [one] = named;
  const agent = all.find(({ lastGood }) => one && lastGood?.puffo_core.slug === one.slug);
  return ok({ slug: one?.slug ?? who, agentId: agent?.id ?? null });
}
