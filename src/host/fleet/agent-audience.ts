import type { AudiencePort } from '../../core/policy/audience-ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { OperatorTrust } from '../approvals/operator-trust.ts';
import { createAudiences } from './audiences.ts';
import type { ContextDeps } from './turn-context.ts';

interface Sources {
  readonly context: Pick<ContextDeps, 'agents'>;
  readonly trust: Pick<OperatorTrust, 'operatorOf'>;
  readonly consent: Pick<Approvals, 'sharesOf'>;
}

interface OfAgent {
  readonly identity: Identity;
  readonly store: AccountStore;
  readonly directory: ServerDirectory;
  /** Available once the agent is launched. */
  account(): Account;
  isOperator(slug: string): boolean;
}

/** The readers of each room of an agent of this host. */
export function audienceOf({ context, trust, consent }: Sources, id: string, of: OfAgent): AudiencePort {
  const { identity, store, directory, isOperator } = of;
  const isHere = (slug: string): boolean =>
    context.agents.list().some(({ lastGood }) => {
      const core = lastGood?.puffo_core;
      return core?.slug === slug && core.server_url === identity.serverUrl;
    });
  return createAudiences({
    account: of.account,
    directory,
    store,
    slug: identity.slug,
    isOperator,
    isOwnAgent: isHere,
    operatorRoot: () => trust.operatorOf(id)?.root ?? null,
    shares: () => consent.sharesOf(id),
  });
}
