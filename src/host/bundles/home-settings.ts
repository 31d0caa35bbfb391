import { existsSync } from 'node:fs';
import { readYaml } from '../../core/lib/yaml-document.ts';
import { providerIds, providerInfo } from '../../core/models/providers.ts';
import { type ImportSource, readSmall } from '../../services/bundle/import-source.ts';
import { parseDaemonConfig, providerSection } from '../../services/config/daemon-schema.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { Secrets } from '../secrets.ts';

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
): Promise<string[]> {
  const said: string[] = [];
  for (const [provider, key] of Object.entries(found.keys)) {
    if (secrets.apiKeys.source(provider) === 'stored') {
      said.push(`The key for ${provider} that is stored here was kept.`);
      continue;
    }
    const opened = await secrets.openForReal();
    const stored = opened.ok ? secrets.apiKeys.setForProvider(provider, key) : opened;
    said.push(
      stored.ok
        ? `Stored the key for ${provider}.`
        : `The key for ${provider} was not stored: ${stored.error.message}`,
    );
  }
  if (existsSync(settings.path)) return said;
  const standard = settings.setDefaultProvider(found.defaultProvider);
  if (!standard.ok) said.push(`The default provider was not taken over: ${standard.error.message}`);
  for (const [provider, model] of Object.entries(found.models)) settings.setProvider(provider, { model });
  return said;
}
