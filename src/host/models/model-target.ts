import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type ProviderInfo, providerInfo } from '../../core/models/providers.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { ListTarget } from '../../services/models/list-models.ts';
import { configInForce } from '../agents/agent-view.ts';
import { checkProvider, checkRuntime } from '../agents/check-input.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { ApiKeySecrets } from '../vault/secrets.ts';

/** Fields of a form that chooses a model; they may be unsaved. */
export interface ModelFormInput {
  readonly agent?: string | undefined;
  readonly provider: string;
  /**
   * The saved address if absent. If empty, what saving an empty one gives: for an agent the address of all
   * agents, otherwise the provider's own.
   */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface ModelTargetDeps {
  readonly agents: AgentStore;
  readonly settings: Pick<DaemonSettings, 'provider'>;
  readonly apiKeys: Pick<ApiKeySecrets, 'find' | 'hasOwn'>;
  /** A fresh token of the login at this provider. */
  readonly token: (provider: string) => Promise<Result<string>>;
}

type Key = Pick<ListTarget, 'apiKey' | 'auth'>;

const noKey: Key = { apiKey: null, auth: 'api_key' };

async function keyFor(
  { apiKeys, ...deps }: ModelTargetDeps,
  agentId: string,
  provider: string,
): Promise<Result<Key>> {
  const found = apiKeys.find(agentId, provider);
  if (!found) return ok(noKey);
  if (found.auth === 'api_key') return ok({ apiKey: found.key, auth: 'api_key' });
  const token = await deps.token(provider);
  return token.ok ? ok({ apiKey: token.value, auth: 'oauth' }) : token;
}

interface Address {
  readonly baseUrl: string;
  /** The address is saved here or the provider's own, so the stored key may be sent there. */
  readonly known: boolean;
}

function addressOf(
  { settings }: ModelTargetDeps,
  { info, agentId, saved }: Asking,
  wished?: string,
): Address {
  const own = settings.provider(info.id).baseUrl || info.baseUrl;
  const emptied = agentId === '' ? info.baseUrl : own;
  const baseUrl = wished === undefined ? saved || own : wished || emptied;
  return { baseUrl, known: [saved, own, info.baseUrl].includes(baseUrl) };
}

interface Asking {
  readonly info: ProviderInfo;
  readonly agentId: string;
  /** The agent's own address for this provider, or empty. */
  readonly saved: string;
}

function askingFor({ agents }: ModelTargetDeps, wish: ModelFormInput): Result<Asking> {
  const fits = checkProvider('provider', wish.provider);
  const address = fits.ok ? checkRuntime({ baseUrl: wish.baseUrl }) : fits;
  if (!address.ok) return address;
  const info = providerInfo(wish.provider);
  if (!info) return err(fail('not_found', 'models.unknownProvider'));
  if (wish.agent === undefined) return ok({ info, agentId: '', saved: '' });
  const agent = findAgent(agents, wish.agent);
  if (!agent.ok) return agent;
  const { runtime } = configInForce(agent.value);
  return ok({ info, agentId: agent.value.id, saved: runtime.provider === info.id ? runtime.base_url : '' });
}

/**
 * Server and key of an unsaved choice. A stored key is sent only to saved addresses and the provider's own,
 * never to another one that the form names.
 */
export async function findModelTarget(
  deps: ModelTargetDeps,
  wish: ModelFormInput,
): Promise<Result<ListTarget>> {
  const asking = askingFor(deps, wish);
  if (!asking.ok) return asking;
  const { info, agentId } = asking.value;
  const { baseUrl, known } = addressOf(deps, asking.value, wish.baseUrl);
  if (baseUrl === '' && info.adapter !== 'scripted')
    return err(fail('invalid_input', 'models.addressNeeded', { name: info.name }, { where: 'baseUrl' }));
  const stored = known ? await keyFor(deps, agentId, info.id) : ok(noKey);
  if (!stored.ok) return stored;
  const key: Key = wish.apiKey === undefined ? stored.value : { apiKey: wish.apiKey, auth: 'api_key' };
  if (key.apiKey === null && info.needsKey && baseUrl === info.baseUrl) return err(keyMissing(info));
  const adapter = baseUrl === info.baseUrl ? info.adapter : (info.elsewhere ?? info.adapter);
  return ok({ provider: info.id, adapter, baseUrl, ...key });
}

const keyMissing = (info: ProviderInfo) =>
  fail('unauthenticated', 'models.keyMissing', { name: info.name }, { help: 'models.enterKeyFirst' });
