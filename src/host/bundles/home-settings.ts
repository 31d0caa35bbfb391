import { existsSync } from 'node:fs';
import { messageOf } from '../../contract/errors.ts';
import { readYaml } from '../../core/lib/yaml-document.ts';
import { providerIds, providerInfo } from '../../core/models/providers.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { type ImportSource, readSmall } from '../../services/bundle/import-source.ts';
import { parseDaemonConfig, providerSection } from '../../services/config/daemon-schema.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { Secrets } from '../vault/secrets.ts';

export interface HomeSettings {
  readonly keys: Readonly<Record<string, string>>;
  readonly models: Readonly<Record<string, string>>;
  readonly defaultProvider: string;
}

/** Model settings of a puffo-agent home, or `null` if none can be read. */
export async function readHomeSettings(source: ImportSource): Promise<HomeSettings | null> {
  if (source.kind !== 'home') return null;
  const text = await readSmall(source.loose, 'daemon.yml');
  const document = text === null ? null : readYaml(text);
  const config = document?.ok ? parseDaemonConfig(document.value, providerIds) : null;
  if (!config?.ok) return null;
  const keys: Record<string, string> = {};
  const models: Record<string, string> = {};
  for (const name of providerIds) {
    const found = providerSection(config.value, name);
    if (found.ok && found.value.api_key !== '') keys[name] = found.value.api_key;
    if (found.ok && found.value.model !== '') models[name] = found.value.model;
  }
  return { keys, models, defaultProvider: config.value.default_provider };
}

/** Default provider and model of the home's agents, or `null` if Kennel does not know the provider. */
export function standardOf({ defaultProvider: provider, models }: HomeSettings) {
  return providerInfo(provider) ? { provider, model: models[provider] ?? '' } : null;
}

export interface TakeSettingsDeps {
  readonly secrets: Pick<Secrets, 'apiKeys' | 'openForReal'>;
  readonly settings: DaemonSettings;
}

/** Imports settings that are not set here yet; returns a report. */
export async function takeSettings(
  { secrets, settings }: TakeSettingsDeps,
  found: HomeSettings,
): Promise<HostText[]> {
  const said: HostText[] = [];
  for (const [provider, key] of Object.entries(found.keys)) {
    if (secrets.apiKeys.source(provider) === 'stored') {
      said.push(say('moving.keyKept', { provider }));
      continue;
    }
    const opened = await secrets.openForReal();
    const stored = opened.ok ? secrets.apiKeys.setForProvider(provider, key) : opened;
    said.push(
      stored.ok
        ? say('moving.keyStored', { provider })
        : say('moving.keyNotStored', { provider, why: messageOf(stored.error) }),
    );
  }
  if (existsSync(settings.path)) return said;
  const standard = settings.setDefaultProvider(found.defaultProvider);
  if (!standard.ok) said.push(say('moving.providerNotTaken', { why: messageOf(standard.error) }));
  for (const [provider, model] of Object.entries(found.models)) settings.setProvider(provider, { model });
  return said;
}
