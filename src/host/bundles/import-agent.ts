import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isAgentId, isConfigured } from '../../core/agents/agent-config.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Secrets } from '../vault/secrets.ts';
import type { Incoming } from './incoming-agent.ts';
import { type ImportOptions, type PlaceImportDeps, placeImport } from './write-import.ts';

export interface ImportedAgent {
  readonly registered: boolean;
  readonly note: HostText;
}

export interface AgentRegistration {
  /** Whether the host runs and has an operator. */
  canRegister(): boolean;
  register(agent: LoadedAgent): Promise<Result<LoadedAgent>>;
}

export interface ImportAgentDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  readonly secrets: Pick<Secrets, 'openForReal' | 'apiKeys'>;
  openParts(): Promise<Result<OpenParts>>;
  readonly placement: PlaceImportDeps;
  readonly registration: AgentRegistration;
  onImported(id: string, hasIdentity: boolean): void;
}

/** Secrets come first: without its key the agent would use another model than intended. */
async function storeSecrets(
  deps: ImportAgentDeps,
  incoming: Incoming,
  identity: Identity | null,
  id: string,
): Promise<Result<OpenParts | null>> {
  const key = incoming.config.runtime.api_key;
  if (!identity && key === '') return ok(null);
  const opened = await deps.secrets.openForReal();
  if (!opened.ok) return opened;
  const stored = key === '' ? ok(undefined) : deps.secrets.apiKeys.setForAgent(id, key);
  return stored.ok ? deps.openParts() : stored;
}

const elsewhere = say('moving.stopElsewhere');

async function identityFor(deps: ImportAgentDeps, id: string): Promise<ImportedAgent> {
  const agent = deps.agents.get(id);
  if (!agent || !deps.registration.canRegister()) {
    return { registered: false, note: say('moving.signUpFirst', { id }) };
  }
  const registered = await deps.registration.register(agent);
  if (registered.ok) return { registered: true, note: say('moving.newIdentity') };
  return {
    registered: false,
    note: say('moving.noIdentityYet', { why: messageOf(registered.error), id }),
  };
}

/** Imports one agent, paused. A failure leaves nothing behind. */
export async function importAgent(
  deps: ImportAgentDeps,
  incoming: Incoming,
  options: ImportOptions,
): Promise<Result<ImportedAgent>> {
  const { id } = options;
  if (!isAgentId(id)) return err(fail('invalid_input', 'agents.invalidAgentId', { id }));
  if (deps.agents.get(id)) {
    return err(fail('conflict', 'moving.agentIdTaken', { id }, { help: 'moving.giveAnotherId' }));
  }
  const identity = options.identity === 'keep' ? incoming.identity : null;
  const parts = await storeSecrets(deps, incoming, identity, id);
  if (!parts.ok) return parts;
  const placed = await placeImport(deps.placement, incoming, identity, parts.value, options);
  if (!placed.ok) {
    deps.secrets.apiKeys.removeForAgent(id);
    return placed;
  }
  deps.onImported(id, identity !== null);
  if (!identity) return ok(await identityFor(deps, id));
  return ok({ registered: isConfigured(incoming.config), note: elsewhere });
}
