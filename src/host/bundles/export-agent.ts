import { isAbsolute } from 'node:path';
import { fail } from '../../contract/fail.ts';
import type { MethodOutput, MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isConfigured } from '../../core/agents/agent-config.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { readConfigText } from '../../services/agent-store/read-config.ts';
import { type ExportedAgent, exportBundle, exportPlain } from '../../services/bundle/export-agent.ts';
import { createScrubber } from '../../services/log/scrub.ts';
import { identityText } from '../../services/vault/plain-identity.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Secrets } from '../vault/secrets.ts';

export interface ExportDeps {
  readonly agents: AgentStore;
  readonly secrets: Pick<Secrets, 'open' | 'apiKeys'>;
  loadIdentity(agentId: string, slug: string): Promise<Result<Identity>>;
  /** Empty while the operator is not signed in. */
  operatorSlug(): string;
  readonly clock: Clock;
  readonly log: Log;
}

/** agent.yml with the given API key, empty for none. */
function configText(deps: ExportDeps, agent: LoadedAgent, apiKey: string): Result<string> {
  const text = deps.agents.readConfig(agent.id);
  if (!text.ok) return text;
  const read = readConfigText(text.value.yaml, text.value.path);
  if (!read.ok) return read;
  read.value.document.set(['runtime', 'api_key'], apiKey);
  return ok(read.value.document.text());
}

/** Only the agent's own key; a provider key shared by all agents is not exported. */
function ownKey({ secrets }: ExportDeps, agent: LoadedAgent): Result<string> {
  if (!secrets.apiKeys.hasOwn(agent.id)) return ok('');
  const found = secrets.apiKeys.find(agent.id, configInForce(agent).runtime.provider || 'anthropic');
  return found ? ok(found.key) : err(fail('locked', 'moving.agentKeyUnreadable'));
}

async function keysOf(deps: ExportDeps, agent: LoadedAgent): Promise<Result<Record<string, string>>> {
  const config = configInForce(agent);
  if (!isConfigured(config)) return ok({});
  const { slug } = config.puffo_core;
  const identity = await deps.loadIdentity(agent.id, slug);
  return identity.ok ? ok({ [`${slug}.json`]: identityText(identity.value) }) : identity;
}

/** Detects everything that the log would redact, and every key this host knows. */
function secretSearch({ secrets }: ExportDeps, agent: LoadedAgent): (text: string) => boolean {
  const scrubber = createScrubber();
  for (const provider of Object.keys(secrets.apiKeys.overview())) {
    const found = secrets.apiKeys.find(agent.id, provider);
    if (found) scrubber.addSecret(found.key);
  }
  return (text) => scrubber.scrub(text) !== text;
}

type Input = MethodParsed<'bundles.export'>;

async function asBundle(
  deps: ExportDeps,
  agent: LoadedAgent,
  base: Omit<ExportedAgent, 'config' | 'keys'>,
  input: Input,
) {
  if (configInForce(agent).state === 'running') {
    return err(fail('conflict', 'moving.agentRunning', { id: agent.id }, { help: 'moving.pauseFirst' }));
  }
  if (input.passphrase === undefined) {
    return err(fail('invalid_input', 'moving.passphraseNeeded', {}, { where: 'passphrase' }));
  }
  const opened = await deps.secrets.open();
  if (!opened.ok) return opened;
  const key = ownKey(deps, agent);
  const keys = await keysOf(deps, agent);
  const config = key.ok ? configText(deps, agent, key.value) : key;
  if (!keys.ok) return keys;
  if (!config.ok) return config;
  return exportBundle(
    { ...base, config: config.value, keys: keys.value },
    {
      path: input.path,
      replace: input.replace,
      now: deps.clock.now(),
      looksSecret: () => false,
      passphrase: input.passphrase,
      exportedBy: deps.operatorSlug(),
    },
  );
}

function plain(
  deps: ExportDeps,
  agent: LoadedAgent,
  base: Omit<ExportedAgent, 'config' | 'keys'>,
  kind: 'zip' | 'folder',
  input: Input,
) {
  const config = configText(deps, agent, '');
  if (!config.ok) return config;
  return exportPlain({ ...base, config: config.value, keys: {} }, kind, {
    path: input.path,
    replace: input.replace,
    now: deps.clock.now(),
    looksSecret: secretSearch(deps, agent),
  });
}

export async function exportAgent(
  deps: ExportDeps,
  input: Input,
): Promise<Result<MethodOutput<'bundles.export'>>> {
  if (!isAbsolute(input.path))
    return err(fail('invalid_input', 'moving.pathNotAbsolute', {}, { where: 'path' }));
  const found = findAgent(deps.agents, input.agent);
  if (!found.ok) return found;
  const agent = found.value;
  const { display_name, puffo_core } = configInForce(agent);
  const base = {
    id: agent.id,
    folder: agent.folder,
    slug: puffo_core.slug,
    displayName: display_name,
    deviceId: puffo_core.device_id,
  };
  const done =
    input.kind === 'bundle'
      ? await asBundle(deps, agent, base, input)
      : await plain(deps, agent, base, input.kind, input);
  if (!done.ok) return done;
  deps.log.info('agent_exported', { agent: agent.id, kind: input.kind, files: done.value.files });
  return ok({ path: input.path, kind: input.kind, ...done.value, left: [...done.value.left] });
}
