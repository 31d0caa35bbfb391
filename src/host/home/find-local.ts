import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LocalFind } from '../../contract/home-methods.ts';
import { providerIds, providerInfo } from '../../core/models/providers.ts';
import { readResponse } from '../../platform/read-response.ts';
import { environmentKeyNames } from '../../services/config/environment-keys.ts';
import type { HostPorts } from '../host-ports.ts';
import type { ApiKeySecrets } from '../vault/secrets.ts';

/** Timeout in ms for a model server on this computer. */
const probeMs = 1_200;
const mostModels = 100;
const mostBytes = 1024 * 1024;

/** Each serves the OpenAI model list at its default address. */
const servers = ['ollama', 'lmstudio', 'vllm', 'llamacpp'] as const;

/** Login files of other programs, below the home folder; checked for existence, never opened. */
const logins = [
  ['anthropic', '.claude/.credentials.json'],
  ['openai', '.codex/auth.json'],
  ['google', '.gemini/oauth_creds.json'],
] as const;

const listSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).nullable() });

export interface LookPorts extends Pick<HostPorts, 'env' | 'fetch' | 'clock'> {
  readonly apiKeys: Pick<ApiKeySecrets, 'source'>;
}

/** `null` if no model server answers there. */
async function modelsAt({ fetch, clock }: LookPorts, baseUrl: string): Promise<readonly string[] | null> {
  const stop = new AbortController();
  const timer = clock.after(probeMs, () => stop.abort());
  try {
    const answer = await fetch(`${baseUrl}/models`, {
      signal: stop.signal,
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    if (!answer.ok || Number(answer.headers.get('content-length') ?? 0) > mostBytes) {
      await answer.body?.cancel();
      return null;
    }
    const { data } = listSchema.parse(JSON.parse((await readResponse(answer, mostBytes)).text));
    return (data ?? []).slice(0, mostModels).map(({ id }) => id);
  } catch {
    return null;
  } finally {
    timer.cancel();
  }
}

async function serverAt(ports: LookPorts, provider: (typeof servers)[number]): Promise<LocalFind[]> {
  const where = providerInfo(provider)?.baseUrl ?? '';
  const models = await modelsAt(ports, where);
  if (models === null) return [];
  return [{ kind: 'server', provider, where, models: [...models], usable: models.length > 0 }];
}

function keysIn({ env }: LookPorts): LocalFind[] {
  return environmentKeyNames(env).map(({ provider, name }) => ({
    ...({ kind: 'environment', provider, where: name } as const),
    models: usualModel(provider),
    usable: true,
  }));
}

const usualModel = (provider: string): string[] =>
  [providerInfo(provider)?.defaultModel ?? ''].filter((model) => model !== '');

function storedKeys({ apiKeys }: LookPorts): LocalFind[] {
  return providerIds
    .filter((provider) => apiKeys.source(provider) === 'stored')
    .map((provider) => ({ kind: 'stored', provider, where: '', models: usualModel(provider), usable: true }));
}

function loginsBelow({ env }: LookPorts): LocalFind[] {
  const home = env.HOME ?? env.USERPROFILE ?? '';
  if (home === '') return [];
  return logins
    .filter(([, path]) => existsSync(join(home, path)))
    .map(([provider, path]) => ({
      ...({ kind: 'login', provider, where: `~/${path}` } as const),
      models: [],
      usable: false,
    }));
}

/** Models available on this computer. Only loopback is contacted, and no key is returned. */
export async function findLocal(ports: LookPorts): Promise<readonly LocalFind[]> {
  const answers = await Promise.all(servers.map((provider) => serverAt(ports, provider)));
  return [...storedKeys(ports), ...keysIn(ports), ...answers.flat(), ...loginsBelow(ports)];
}
