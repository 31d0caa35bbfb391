import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Account, Invite } from '../../services/puffo/account-types.ts';
import type { SignedClient } from '../../services/puffo/signed-client.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';

export type SignerContext = Pick<HostContext, 'agents' | 'fleet' | 'layout' | 'ports' | 'openParts'>;

export interface AgentSigner {
  readonly client: SignedClient;
  answerInvite: Account['answerInvite'];
}

/** Signs as an agent: through its account while it runs, else with its keys for this one use. */
export async function agentSigner(context: SignerContext, agent: LoadedAgent): Promise<Result<AgentSigner>> {
  const running = context.fleet.account(agent.id);
  if (running) return ok(running);
  const { slug, server_url: serverUrl } = configInForce(agent).puffo_core;
  if (slug === '') {
    return err(appError('conflict', `Agent "${agent.id}" is not registered at a server.`));
  }
  const parts = await context.openParts();
  if (!parts.ok) return parts;
  const { keys, servers, crypto, currentUrl } = parts.value;
  const folder = context.layout.agentKeys(agent.id);
  const stored = keys.loadIdentity(folder, slug);
  if (!stored.ok) return stored;
  const identity = { ...stored.value, serverUrl: currentUrl(serverUrl) };
  const directory = servers.directory(identity.serverUrl);
  if (!directory.ok) return directory;
  const { transport, skew } = directory.value;
  const { clock, random, log } = context.ports;
  const [{ createSubkeys }, { createSignedClient }, { SpaceEvents }, { plainError }] = await Promise.all([
    import('../../services/puffo/subkeys.ts'),
    import('../../services/puffo/signed-client.ts'),
    import('../../services/puffo/space-events.ts'),
    import('../../services/puffo/request-error.ts'),
  ]);
  const sessions = keys.sessions(folder, slug);
  const shared = { transport, skew, crypto, clock, random };
  const subkeys = createSubkeys({ ...shared, identity, sessions, log });
  const client = createSignedClient({ ...shared, slug, subkeys, signal: new AbortController().signal });
  const events = new SpaceEvents({ identity, client, subkeys, crypto, clock, random });
  return ok({
    client,
    async answerInvite(invite: Invite, accepts: boolean) {
      const answered = await events.answer(invite, accepts);
      return answered.ok ? ok(undefined) : err(plainError(answered.error));
    },
  });
}
