/**
 * Renews a login token that the server refused before its expiry (withdrawn, or replaced elsewhere), and
 * repeats the request once. If that fails, too, the error says what helps.
 */
import type { Result } from '../../contract/result.ts';
import type { ModelEvent, ModelPort, ModelTarget } from './model-ports.ts';

/** Returns a token other than the refused one, or an error. */
export type RenewToken = (provider: string, refused: string) => Promise<Result<string>>;

type Failed = Extract<ModelEvent, { type: 'error' }>;

export function withFreshToken(model: ModelPort, renew: RenewToken): ModelPort {
  const ask: ModelPort['stream'] = async function* (target, context, options, signal) {
    for await (const event of model.stream(target, context, options, signal)) {
      const refused = event.type === 'error' ? refusedToken(event, target) : null;
      if (refused === null || event.type !== 'error') {
        yield event;
        continue;
      }
      const renewed = await renew(target.provider, refused);
      if (!renewed.ok) {
        yield { ...event, failure: { ...event.failure, error: renewed.error } };
      } else if (renewed.value === refused || signal.aborted) yield event;
      else yield* model.stream({ ...target, apiKey: renewed.value }, context, options, signal);
      return;
    }
  };
  return { api: model.api, stream: ask };
}

const refusedToken = ({ failure }: Failed, { auth, apiKey }: ModelTarget): string | null =>
  auth === 'oauth' && failure.status === 401 ? apiKey : null;
