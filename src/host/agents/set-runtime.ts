import type { MethodParsed } from '../../contract/methods.ts';
import { ok, type Result } from '../../contract/result.ts';
import { notYet } from '../../core/agents/runtime-triple.ts';
import type { HostText } from '../../language/host-message.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { checkVersion } from '../edit-version.ts';
import type { ModelAccess } from '../fleet/model-access.ts';
import type { ApiKeySecrets, Secrets } from '../vault/secrets.ts';
import { type RuntimePatch, runtimeChange, triggersChange } from './agent-change.ts';
import { agentVersions, configInForce } from './agent-view.ts';
import { checkRuntime, checkWholeRuntime } from './check-input.ts';
import { findAgent } from './find-agent.ts';
import { factsOfOldModel } from './model-settings.ts';

export interface RuntimeKeys extends Pick<Secrets, 'openForReal'> {
  readonly apiKeys: Pick<ApiKeySecrets, 'setForAgent'>;
}

export async function storeAgentKey(
  secrets: RuntimeKeys,
  agentId: string,
  key: string,
): Promise<Result<void>> {
  const vault = await secrets.openForReal();
  return vault.ok ? secrets.apiKeys.setForAgent(agentId, key) : vault;
}

export interface SetRuntimeDeps {
  readonly agents: AgentStore;
  readonly secrets: RuntimeKeys;
  readonly fleet: { apply(): void; modelChanged(id: string): void };
  readonly models: Pick<ModelAccess, 'choose'>;
}

/** An agent with its new runtime, and why that cannot run yet, or an empty text. */
export interface ChangedRuntime {
  readonly agent: LoadedAgent;
  readonly warning: HostText;
}

/**
 * Only a change of kind, provider or harness checks that the three fit together. An agent that already has a
 * wrong combination can still change its other settings.
 */
const changesKind = ({ kind, provider, harness }: RuntimePatch): boolean =>
  kind !== undefined || provider !== undefined || harness !== undefined;

const changesModel = (input: RuntimePatch & { readonly apiKey?: string | undefined }): boolean =>
  changesKind(input) || [input.model, input.baseUrl, input.apiKey].some((part) => part !== undefined);

export async function setRuntime(
  { agents, secrets, fleet, models }: SetRuntimeDeps,
  input: MethodParsed<'agents.setRuntime'>,
): Promise<Result<ChangedRuntime>> {
  const found = findAgent(agents, input.agent);
  if (!found.ok) return found;
  const fits = checkRuntime(input);
  if (!fits.ok) return fits;
  const { id } = found.value;
  const before = configInForce(found.value);
  const current = checkVersion(input.version, agentVersions(before, '').model);
  if (!current.ok) return current;
  const whole = { ...before.runtime, ...runtimeChange(input) };
  const together = changesKind(input) ? checkWholeRuntime(whole) : ok(undefined);
  if (!together.ok) return together;
  if (input.apiKey) {
    const stored = await storeAgentKey(secrets, id, input.apiKey);
    if (!stored.ok) return stored;
  }
  const changed = agents.update(id, {
    runtime: { ...runtimeChange(input), ...factsOfOldModel(before.runtime, whole) },
    triggers: triggersChange(input, before.triggers),
  });
  if (!changed.ok) return changed;
  fleet.apply();
  if (changesModel(input)) fleet.modelChanged(id);
  const config = configInForce(changed.value);
  const choice = models.choose(id, config);
  const unfit = notYet(config.runtime) ?? (choice.ok ? null : choice.error);
  return ok({ agent: changed.value, warning: unfit?.message ?? '' });
}
