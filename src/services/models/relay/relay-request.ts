/**
 * One request of an agent program on its way to the model server: its turn, its model and its budget are
 * checked before it is sent.
 */

import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { ModelChoice } from '../../../core/models/choose-model.ts';
import { serverOf } from '../../../core/models/provider-gate.ts';
import { type Admitted, forward, type RelayDeps, type RelayRequest } from './relay-forward.ts';
import { type RelayRefusal, refuse } from './relay-refusal.ts';
import { speaks, upstreamUrl } from './relay-routes.ts';
import { findFields, replaceRanges } from './top-level-fields.ts';

const refusal = (status: number, error: AppError, retryAfterS?: number): Result<never, RelayRefusal> =>
  err({ status, error, ...(retryAfterS === undefined ? {} : { retryAfterS }) });

function admit(request: RelayRequest, chosen: Result<ModelChoice>): Result<Admitted, RelayRefusal> {
  const { session, route, query } = request;
  const turn = session.turn();
  if (turn === null) return refusal(409, fail('conflict', 'modelRelay.noTurn'));
  if (!chosen.ok) return refusal(chosen.error.code === 'unauthenticated' ? 401 : 400, chosen.error);
  const choice = chosen.value;
  const url = speaks(choice, route.format) ? upstreamUrl(route, choice, query) : null;
  if (url === null) {
    const { provider } = choice;
    return refusal(400, fail('unsupported', 'modelRelay.otherFormat', { provider }));
  }
  const prepared = prepareBody(request, choice);
  if (!prepared.ok) return prepared;
  const admitted = session.spend.admit(session.agentId, choice);
  // 403, because programs repeat what failed with 429.
  if (!admitted.ok) return refusal(403, admitted.error);
  const inMs = session.models.gate.enter(serverOf(choice));
  if (inMs > 0) {
    const n = Math.ceil(inMs / 1000);
    return refusal(429, fail('rate_limited', 'proxy.providerPause', { provider: choice.provider, n }), n);
  }
  return ok({ choice, turn, url, ...prepared.value });
}

/** The same bytes, with the agent's model in place of another one, and with usage asked for. */
function prepareBody(
  { route, body }: RelayRequest,
  { model }: ModelChoice,
): Result<Pick<Admitted, 'body' | 'isStream'>, RelayRefusal> {
  if (route.format === 'gemini') return ok({ body, isStream: route.method === 'streamGenerateContent' });
  const fields = findFields(body, ['model', 'stream', 'stream_options']);
  const named = fields?.get('model');
  if (!fields || !named) return refusal(400, fail('invalid_input', 'modelRelay.unreadable'));
  const textOf = (name: 'model' | 'stream'): string => {
    const range = fields.get(name);
    return range ? body.toString('utf8', range.start, range.end) : '';
  };
  const isStream = textOf('stream') === 'true';
  const wanted = JSON.stringify(model);
  const edits = textOf('model') === wanted ? [] : [{ range: named, text: wanted }];
  // Without this field the server reports no usage for a stream.
  if (route.format === 'openai-chat' && isStream && !fields.has('stream_options'))
    edits.push({
      range: { start: named.end, end: named.end },
      text: ',"stream_options":{"include_usage":true}',
    });
  return ok({ body: replaceRanges(body, edits), isStream });
}

export async function relayRequest(
  deps: RelayDeps,
  request: RelayRequest,
  chosen: Result<ModelChoice> | Promise<Result<ModelChoice>>,
): Promise<void> {
  const admitted = admit(request, await chosen);
  if (admitted.ok) forward(deps, request, admitted.value);
  else refuse(request.outgoing, request.route.format, admitted.error);
}
