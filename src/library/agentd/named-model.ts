/** The model of an agent in a file, by its name and the keys of the environment. */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { addressVariable, keyVariables, readModelName } from '../../core/models/model-name.ts';
import { providerInfo } from '../../core/models/providers.ts';
import type { Clock } from '../../core/ports.ts';
import { builtInModel } from '../built-in-model.ts';
import type { SessionModel } from './agent-session.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export function modelNamed(name: string, env: Variables, clock: Clock): Result<SessionModel> {
  const { provider, model } = readModelName(name);
  const info = providerInfo(provider);
  const variables = keyVariables[provider] ?? [];
  const apiKey = variables.map((key) => env[key]).find((key) => key) ?? '';
  const baseUrl = env[addressVariable(provider)];
  if (info?.needsKey && apiKey === '') {
    const [variable = addressVariable(provider)] = variables;
    return err(fail('unauthenticated', 'agentd.noModelKey', { provider: info.name, variable }));
  }
  const named = { provider, apiKey, ...(model ? { name: model } : {}), ...(baseUrl ? { baseUrl } : {}) };
  return ok(builtInModel(named, clock));
}
