import { join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { AdoptedAgent } from '../../services/bridge/bridge-types.ts';
import type { Secrets } from '../vault/secrets.ts';

const alreadyThere = (id: string) => fail('conflict', 'programs.agentTaken', { id });

export interface AdoptAgentDeps {
  readonly secrets: Pick<Secrets, 'openForReal' | 'keys' | 'apiKeys'>;
  readonly agents: Pick<AgentStore, 'get' | 'create'>;
  /** Registers a text for redaction in the log. */
  addSecret(secret: string): void;
  /** Starts the agents if the host had nothing configured before. */
  startAgents(): Promise<void>;
  onAdopted(agent: AdoptedAgent): void;
}

/**
 * Adds an agent with its own identity. Its keys are wrapped before its folder appears, so a crash leaves
 * either no agent or a complete one.
 */
export async function adoptAgent(
  deps: AdoptAgentDeps,
  agent: AdoptedAgent,
): Promise<Result<{ readonly folder: string }>> {
  const { secrets, agents } = deps;
  const { id, config, profile, apiKey, identity } = agent;
  if (agents.get(id)) return err(alreadyThere(id));
  const vault = await secrets.openForReal();
  if (!vault.ok) return vault;
  const keys = secrets.keys();
  if (!keys) return err(fail('locked', 'programs.secretsLocked'));
  deps.addSecret(apiKey);
  const stored = apiKey === '' ? ok(undefined) : secrets.apiKeys.setForAgent(id, apiKey);
  if (!stored.ok) return stored;
  const made = agents.create({
    id,
    config,
    profile,
    furnish: (folder) => keys.saveIdentity(join(folder, 'keys'), identity),
  });
  if (!made.ok) {
    if (apiKey !== '' && made.error.code !== 'conflict') secrets.apiKeys.removeForAgent(id);
    return made;
  }
  await deps.startAgents();
  deps.onAdopted(agent);
  return ok({ folder: made.value.folder });
}
