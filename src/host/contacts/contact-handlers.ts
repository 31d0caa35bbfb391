import type { Principal } from '../../contract/method-row.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { ContactDecision } from '../../core/puffo/contact-store.ts';
import type { Handlers } from '../dispatch.ts';

type ContactMethods = Pick<
  Handlers,
  'contacts.list' | 'contacts.accept' | 'contacts.block' | 'contacts.forget'
>;

/** The operator's decisions about people who write to an agent for the first time. */
export interface ContactDecisions {
  list(): Result<MethodOutput<'contacts.list'>>;
  decide(
    slug: string,
    server: string | undefined,
    decision: ContactDecision,
    surface: 'window' | 'terminal',
  ): Promise<Result<MethodOutput<'contacts.accept'>>>;
}

const surfaceOf = ({ kind }: Principal): 'window' | 'terminal' =>
  kind === 'owner-ui' ? 'window' : 'terminal';

export function createContactHandlers(contacts: ContactDecisions): ContactMethods {
  const decide = (
    { slug, server }: MethodParsed<'contacts.block'>,
    decision: ContactDecision,
    principal: Principal,
  ) => contacts.decide(slug, server, decision, surfaceOf(principal));
  return {
    'contacts.list': () => contacts.list(),
    'contacts.accept': (input, principal) => decide(input, 'accepted', principal),
    'contacts.block': async (input, principal) => {
      const blocked = await decide(input, 'blocked', principal);
      return blocked.ok ? ok({}) : blocked;
    },
    'contacts.forget': async (input, principal) => {
      const forgotten = await decide(input, 'unknown', principal);
      return forgotten.ok ? ok({}) : forgotten;
    },
  };
}
