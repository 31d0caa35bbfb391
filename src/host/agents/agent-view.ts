import type { PolicyMode } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import type { AgentDetail, AgentSummary, ModelPriceSetting } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { Spend } from '../../contract/work.ts';
import { type AgentConfig, agentConfigSchema, isConfigured } from '../../core/agents/agent-config.ts';
import { readSoul } from '../../core/agents/profile.ts';
import { statusDot } from '../../core/agents/status.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { versionOf } from '../edit-version.ts';
import type { LiveAgent } from './live-agent.ts';

let defaults: AgentConfig | null = null;

/** Created on first use: parsing the defaults costs some milliseconds at startup. */
function emptyConfig(): AgentConfig {
  defaults ??= agentConfigSchema().parse({});
  return defaults;
}

/** The configuration in force: the last valid file of the agent, else the defaults. */
export const configInForce = (agent: LoadedAgent): AgentConfig => agent.lastGood ?? emptyConfig();

/** The display name, or the id if the agent has none. */
export const nameOfAgent = ({ id, lastGood }: Pick<LoadedAgent, 'id' | 'lastGood'>): string =>
  lastGood?.display_name || id;

/** The state of an agent without a supervisor. */
export function atRest(agent: LoadedAgent): LiveAgent {
  const config = agent.lastGood;
  const life = !config
    ? 'broken'
    : !isConfigured(config)
      ? 'not_connected'
      : config.state === 'paused'
        ? 'paused'
        : 'starting';
  const condition = { life, connection: 'none', working: false, needsYou: false, failed: false } as const;
  return {
    life,
    dot: statusDot(condition),
    connection: 'none',
    activity: '',
    since: 0,
    error: null,
    restartAt: null,
    messageCount: 0,
    lastEventAt: null,
    refused: {},
    waiting: 0,
  };
}

/** The features that know more of an agent than its files. */
export interface AgentFactSources {
  readonly fleet: { live(agent: LoadedAgent): LiveAgent };
  readonly usage: { spentToday(agentId: string): Spend };
  readonly models: { choose(agentId: string, config: AgentConfig): Result<ModelChoice> };
}

export interface AgentViewFacts {
  readonly agent: LoadedAgent;
  readonly live: LiveAgent | null;
  readonly spentToday: Spend;
  readonly choice: Result<ModelChoice>;
}

export const collectFacts = (
  { fleet, usage, models }: AgentFactSources,
  agent: LoadedAgent,
): AgentViewFacts => ({
  agent,
  live: fleet.live(agent),
  spentToday: usage.spentToday(agent.id),
  choice: models.choose(agent.id, configInForce(agent)),
});

/** The summary of an agent as it is now. */
export type SummarizeAgent = (agent: LoadedAgent) => AgentSummary;

function modelFields(facts: AgentViewFacts): Pick<AgentSummary, 'provider' | 'model' | 'scripted'> {
  const { choice } = facts;
  if (choice.ok)
    return { provider: choice.value.provider, model: choice.value.model, scripted: choice.value.scripted };
  const { provider, model } = configInForce(facts.agent).runtime;
  return { provider, model, scripted: false };
}

/** A failed model choice is shown unless the agent has another error. */
function errorOf(facts: AgentViewFacts, live: LiveAgent): AppError | null {
  if (live.error) return live.error;
  return facts.choice.ok || live.life === 'not_connected' || live.life === 'broken'
    ? null
    : facts.choice.error;
}

/** An agent that runs without a usable model (no key, unknown provider) waits for its operator. */
const lacksModel = ({ choice }: AgentViewFacts, { life }: LiveAgent): boolean =>
  !choice.ok && (life === 'running' || life === 'starting');

export function viewAgent(facts: AgentViewFacts): AgentSummary {
  const { agent } = facts;
  const config = configInForce(agent);
  const live = facts.live ?? atRest(agent);
  return {
    id: agent.id,
    slug: config.puffo_core.slug || null,
    displayName: config.display_name || agent.id,
    avatarUrl: config.avatar_url,
    role: config.role,
    roleShort: config.role_short,
    dot: lacksModel(facts, live) ? 'needs_you' : live.dot,
    life: live.life,
    connection: live.connection,
    activity: live.activity,
    since: live.since,
    runtimeKind: config.runtime.kind,
    ...modelFields(facts),
    messageCount: live.messageCount,
    lastEventAt: live.lastEventAt,
    error: errorOf(facts, live),
    configError: agent.error,
    restartAt: live.restartAt,
    waiting: live.waiting,
    spentToday: facts.spentToday,
  };
}

const shownPrice = ({
  input,
  output,
  cache_read,
  cache_write,
}: NonNullable<AgentConfig['runtime']['price']>): ModelPriceSetting => ({
  input,
  output,
  ...(cache_read === undefined ? {} : { cacheRead: cache_read }),
  ...(cache_write === undefined ? {} : { cacheWrite: cache_write }),
});

export interface DetailFacts extends AgentViewFacts {
  readonly profile: string;
  readonly soul: string;
  readonly apiKeySet: boolean;
  /** Permissions of all agents; `null` if each has its own. */
  readonly commonMode: PolicyMode | null;
}

/** Versions of the parts of an agent that forms edit, each over what its form shows. */
export function agentVersions(config: AgentConfig, profile: string): AgentDetail['versions'] {
  const { display_name, role, role_short, avatar_url, runtime } = config;
  const { kind, provider, model, base_url } = runtime;
  const { context_window, max_output_tokens, temperature, native_tools, price } = runtime;
  return {
    profile: versionOf([display_name, role, role_short, avatar_url, readSoul(profile)]),
    model: versionOf([kind, provider, model, base_url]),
    limits: versionOf([context_window, max_output_tokens, temperature, native_tools, price]),
  };
}

export function viewAgentDetail(facts: DetailFacts): AgentDetail {
  const { agent, profile, soul } = facts;
  const { puffo_core: core, runtime, triggers, created_at, policy } = configInForce(agent);
  return {
    ...viewAgent(facts),
    folder: agent.folder,
    serverUrl: core.server_url,
    deviceId: core.device_id,
    spaceId: core.space_id,
    operatorSlug: core.operator_slug,
    createdAt: Math.round(created_at * 1000),
    soul,
    profile,
    runtime: {
      kind: runtime.kind,
      provider: runtime.provider,
      model: runtime.model,
      baseUrl: runtime.base_url,
      apiKeySet: facts.apiKeySet,
      allowedTools: [...runtime.allowed_tools],
      dockerImage: runtime.docker_image,
      permissionMode: runtime.permission_mode,
      harness: runtime.harness,
      maxTurns: runtime.max_turns,
    },
    modelSettings: {
      contextWindow: runtime.context_window,
      maxOutputTokens: runtime.max_output_tokens,
      temperature: runtime.temperature,
      nativeTools: runtime.native_tools,
      price: runtime.price && shownPrice(runtime.price),
    },
    triggers,
    mode: facts.commonMode ?? policy.mode,
    versions: agentVersions(configInForce(agent), profile),
    refused: { ...facts.live?.refused },
  };
}
