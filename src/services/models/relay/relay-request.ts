/**
 * One request of an agent program on its way to the model server: its turn, its model and its budget are
 * checked before it is sent.
 */

import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { ModelChoice } from '../../../core/models/choose-model.ts';
import { longPauseMs, serverOf } from '../../../core/models/provider-gate.ts';
import { providerInfo } from '../../../core/models/providers.ts';
import type { SpendHold } from '../../../core/models/spend-gate.ts';
import type { RelayTurn } from '../../../core/runtimes/harness-ports.ts';
import { type AdmittedRequest, type ForwardDeps, forward, type ProgramRequest } from './relay-forward.ts';
import { type RelayRefusal, refuse } from './relay-refusal.ts';
import { speaks, upstreamUrl } from './relay-routes.ts';
import { findFields, replaceRanges } from './top-level-fields.ts';

const refusal = (status: number, error: AppError, retryAfterS?: number): Result<never, RelayRefusal> =>
  err({ status, error, ...(retryAfterS === undefined ? {} : { retryAfterS }) });

async function admit(
  request: ProgramRequest,
  chosen: Result<ModelChoice>,
): Promise<Result<AdmittedRequest, RelayRefusal>> {
  const { session, route, query } = request;
  if (session.turn() === null) return noTurn;
  if (!chosen.ok) return refusal(chosen.error.code === 'unauthenticated' ? 401 : 400, chosen.error);
  const choice = chosen.value;
  const url = speaks(choice, route.format) ? upstreamUrl(route, choice, query) : null;
  if (url === null) {
    const { provider } = choice;
    return refusal(400, fail('unsupported', 'modelRelay.otherFormat', { provider }));
  }
  const prepared = prepareBody(request, choice);
  if (!prepared.ok) return prepared;
  const reserved = await reserve(request, choice, prepared.value.maxOutput);
  // The turn may have ended while the request waited.
  const turn = session.turn();
  if (!reserved.ok) {
    turn?.onRefused(reserved.error);
    // 403, because programs repeat what failed with 429.
    return refusal(403, reserved.error);
  }
  const hold = reserved.value;
  const passed = turn === null ? noTurn : enterGate(session, choice, turn);
  if (!passed.ok || turn === null) {
    hold?.release();
    return passed.ok ? noTurn : passed;
  }
  return ok({ choice, turn, url, hold, ...prepared.value });
}

const noTurn = refusal(409, fail('conflict', 'modelRelay.noTurn'));

function enterGate(
  { models }: ProgramRequest['session'],
  choice: ModelChoice,
  turn: RelayTurn,
): Result<void, RelayRefusal> {
  const inMs = models.gate.enter(serverOf(choice));
  if (inMs === 0) return ok(undefined);
  if (inMs > longPauseMs) turn.onPaused(inMs);
  const n = Math.ceil(inMs / 1000);
  return refusal(429, fail('rate_limited', 'proxy.providerPause', { provider: choice.provider, n }), n);
}

/** Bytes of a request per token, and tokens of a response whose request sets no limit. */
const [bytesPerToken, usualOutput] = [4, 8_192];

/** Counting tokens costs nothing, so only the budget is checked. */
async function reserve(
  { session, route, body, outgoing }: ProgramRequest,
  target: ModelChoice,
  maxOutput: number | null,
): Promise<Result<SpendHold | null>> {
  const { agentId, spend } = session;
  if (route.isCount) {
    const admitted = spend.admit(agentId, target);
    return admitted.ok ? ok(null) : admitted;
  }
  const left = new AbortController();
  const leave = (): void => left.abort();
  outgoing.once('close', leave);
  const input = Math.ceil(body.length / bytesPerToken);
  const reserved = await spend.reserve(
    { agentId, target, input, output: maxOutput ?? usualOutput },
    left.signal,
  );
  outgoing.off('close', leave);
  return reserved;
}

/** Limits of the output, by format. */
const outputFields = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;

interface PreparedBody extends Pick<AdmittedRequest, 'body' | 'isStream'> {
  readonly maxOutput: number | null;
}

/** The same bytes, with the agent's model in place of another one, and with usage asked for. */
function prepareBody(
  { route, body }: ProgramRequest,
  { model, provider }: ModelChoice,
): Result<PreparedBody, RelayRefusal> {
  if (route.format === 'gemini')
    return ok({ body, isStream: route.method === 'streamGenerateContent', maxOutput: null });
  const fields = findFields(body, ['model', 'stream', 'stream_options', 'usage', ...outputFields]);
  const named = fields?.get('model');
  if (!fields || !named) return refusal(400, fail('invalid_input', 'modelRelay.unreadable'));
  const textOf = (name: 'model' | 'stream' | (typeof outputFields)[number]): string => {
    const range = fields.get(name);
    return range ? body.toString('utf8', range.start, range.end) : '';
  };
  const isStream = textOf('stream') === 'true';
  const wanted = JSON.stringify(model);
  const edits = textOf('model') === wanted ? [] : [{ range: named, text: wanted }];
  const added = (text: string) => ({ range: { start: named.end, end: named.end }, text });
  // Without these fields the server reports no usage for a stream, and no cost.
  if (route.format === 'openai-chat' && isStream && !fields.has('stream_options'))
    edits.push(added(',"stream_options":{"include_usage":true}'));
  const reportsCost = providerInfo(provider)?.reportsCost === true;
  if (route.format === 'openai-chat' && reportsCost && !fields.has('usage'))
    edits.push(added(',"usage":{"include":true}'));
  const limits = outputFields.map((name) => Number.parseInt(textOf(name), 10)).filter((limit) => limit > 0);
  return ok({
    body: replaceRanges(body, edits),
    isStream,
    maxOutput: limits.length === 0 ? null : Math.max(...limits),
  });
}

export async function relayRequest(
  deps: ForwardDeps,
  request: ProgramRequest,
  chosen: Result<ModelChoice> | Promise<Result<ModelChoice>>,
): Promise<void> {
  const admitted = await admit(request, await chosen);
  if (admitted.ok) forward(deps, request, admitted.value);
  else refuse(request.outgoing, request.route.format, admitted.error);
}
