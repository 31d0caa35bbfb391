import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';

export type AgentSigner = Pick<Account, 'client' | 'answerInvite'>;

export interface AgentSignerDeps {
  /** The account of a running agent. */
  account(agentId: string): AgentSigner | null;
  openParts(): Promise<Result<OpenParts>>;
  readonly layout: Pick<Layout, 'agentKeys'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Signs as an agent: through its account while it runs, else with its keys for this one use. */
export type SignAsAgent = (agent: LoadedAgent) => Promise<Result<AgentSigner>>;

export function createAgentSigner(deps: AgentSignerDeps): SignAsAgent {
  const { clock, random, log } = deps;
  return async (agent) => {
    const running = deps.account(agent.id);
    if (running) return ok(running);
    const { slug, server_url: serverUrl } = configInForce(agent).puffo_core;
    if (slug === '') {
      return err(fail('conflict', 'spaces.agentNotRegistered', { id: agent.id }));
    }
    const parts = await deps.openParts();
    if (!parts.ok) return parts;
    const { keys, servers, crypto, currentUrl } = parts.value;
    const folder = deps.layout.agentKeys(agent.id);
    const stored = keys.loadIdentity(folder, slug);
    if (!stored.ok) return stored;
    const identity = { ...stored.value, serverUrl: currentUrl(serverUrl) };
    const directory = servers.directory(identity.serverUrl);
    if (!directory.ok) return directory;
    const [{ createSigningAccount }, { createAccountSession }] = await Promise.all([
      import('../../services/puffo/signing-account.ts'),
      import('../../services/puffo/account-session.ts'),
    ]);
    const { requests } = directory.value;
    const sessions = keys.sessions(folder, slug);
    const session = createAccountSession({ identity, sessions, requests, crypto, clock, log });
    return ok(createSigningAccount({ session, directory: directory.value, crypto, clock, random }));
  };
}
