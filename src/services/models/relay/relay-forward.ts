/**
 * Sends an admitted request to the model server. The response passes unbuffered and unchanged, its usage is
 * recorded, and its text is not stored.
 */
import { type Agent, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { fail } from '../../../contract/fail.ts';
import type { ModelChoice } from '../../../core/models/choose-model.ts';
import type { Usage } from '../../../core/models/messages.ts';
import type { ModelFailure } from '../../../core/models/model-ports.ts';
import { longPauseMs, tellGate } from '../../../core/models/provider-gate.ts';
import { providerInfo } from '../../../core/models/providers.ts';
import type { SpendHold } from '../../../core/models/spend-gate.ts';
import type { Clock, Random } from '../../../core/ports.ts';
import type { RelaySession, RelayTurn } from '../../../core/runtimes/harness-ports.ts';
import { refusalFailure } from '../http-failure.ts';
import { serverName } from '../http-stream.ts';
import { refuse } from './relay-refusal.ts';
import { answerHeaders, keyHeaders, type ModelRoute, passedHeaders } from './relay-routes.ts';
import { createUsageTap, type UsageTap } from './relay-usage.ts';

export interface RelayConnections {
  readonly http: Agent;
  readonly https: Agent;
}

export interface ForwardDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly connections: RelayConnections;
}

export interface ProgramRequest {
  readonly session: RelaySession;
  readonly route: ModelRoute;
  readonly query: URLSearchParams;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Buffer;
}

export interface AdmittedRequest {
  readonly choice: ModelChoice;
  readonly turn: RelayTurn;
  readonly url: URL;
  readonly body: Buffer;
  readonly isStream: boolean;
  /** `null` for a request that costs nothing. */
  readonly hold: SpendHold | null;
}

/** ms without a byte from the server; local models may load for minutes. */
const silenceMs = 300_000;
/** Bytes of an error that are read for its reason. */
const maxErrorBytes = 16_384;

export function forward(deps: ForwardDeps, request: ProgramRequest, admitted: AdmittedRequest): void {
  const { incoming, outgoing, route, session } = request;
  const { choice, url, body } = admitted;
  const { gate } = session.models;
  const isSecure = url.protocol === 'https:';
  const upstream = (isSecure ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: isSecure ? deps.connections.https : deps.connections.http,
    timeout: silenceMs,
    headers: {
      'content-type': 'application/json',
      ...passedHeaders(incoming.headers),
      ...keyHeaders(route.format, choice),
      // Usage is read from the passing bytes.
      'accept-encoding': 'identity',
      'content-length': body.length,
    },
  });
  let isSettled = false;
  /** Called once: with the outcome of the request. */
  const settle = (
    failure: ModelFailure | null,
    told?: { readonly usage: Usage; readonly isCut: boolean },
  ): void => {
    if (isSettled) return;
    isSettled = true;
    tellGate(gate, choice, failure);
    const pauseMs = failure?.retryable ? (failure.retryAfterMs ?? 0) : 0;
    if (pauseMs > longPauseMs) admitted.turn.onPaused(pauseMs);
    if (told && !route.isCount) record(deps, session, admitted, told);
    admitted.hold?.release();
  };
  upstream.once('error', () => {
    const error = fail('unavailable', 'modelRelay.unreachable', { server: serverName(choice) });
    settle(outgoing.destroyed ? cancelled : { error, retryable: true });
    refuse(outgoing, route.format, { status: 502, error, retryAfterS: 1 });
  });
  upstream.once('timeout', () => upstream.destroy());
  upstream.once('response', (answer) => pass(deps, request, admitted, answer, settle));
  outgoing.once('close', () => {
    if (!isSettled) upstream.destroy();
  });
  upstream.end(body);
}

const cancelled: ModelFailure = { error: fail('cancelled', 'modelRelay.stopped'), retryable: false };

type Settle = (
  failure: ModelFailure | null,
  told?: { readonly usage: Usage; readonly isCut: boolean },
) => void;

function pass(
  { clock }: ForwardDeps,
  { outgoing, route }: ProgramRequest,
  { choice, body, isStream }: AdmittedRequest,
  answer: IncomingMessage,
  settle: Settle,
): void {
  const status = answer.statusCode ?? 502;
  const isGood = status >= 200 && status < 300;
  const isEvents = answer.headers['content-type']?.startsWith('text/event-stream') ?? isStream;
  const reportsCost = providerInfo(choice.provider)?.reportsCost === true;
  const tap = createUsageTap(route.format, isEvents, reportsCost);
  const errorBytes: Buffer[] = [];
  outgoing.writeHead(status, answerHeaders(answer.headers));
  answer.on('data', (chunk: Buffer) => {
    if (!outgoing.write(chunk)) answer.pause();
    if (isGood) tap.push(chunk);
    else if (tap.bytes < maxErrorBytes) {
      tap.push(chunk);
      errorBytes.push(chunk);
    }
  });
  outgoing.on('drain', () => answer.resume());
  const over = (isCut: boolean): void => {
    if (isGood) {
      const failure = !isCut || outgoing.destroyed ? null : cutOff(choice);
      settle(failure, { usage: countPassed(tap, body, isCut), isCut });
      return;
    }
    const told = refusalFailure({
      status,
      retryAfter: answer.headers['retry-after'] ?? null,
      retryAfterMs: headerText(answer.headers['retry-after-ms']),
      header: (name) => headerText(answer.headers[name]),
      body: Buffer.concat(errorBytes).toString('utf8').slice(0, maxErrorBytes),
      server: serverName(choice),
      model: choice.model,
      apiKey: choice.apiKey,
      nowMs: clock.now(),
    });
    settle(told);
  };
  answer.once('end', () => {
    outgoing.end();
    over(false);
  });
  answer.once('close', () => {
    if (!answer.complete) outgoing.destroy();
    over(!answer.complete);
  });
}

const headerText = (value: string | string[] | undefined): string | null =>
  typeof value === 'string' ? value : null;

const cutOff = (choice: ModelChoice): ModelFailure => ({
  error: fail('unavailable', 'modelRelay.unreachable', { server: serverName(choice) }),
  retryable: true,
});

/** Bytes per token of a request, and of a streamed response with its frames. */
const bytesPerToken = { sent: 4, received: 40 };

/** Estimates the usage of a response that was cut before its usage, because the provider bills it. */
function countPassed(tap: UsageTap, body: Buffer, isCut: boolean): Usage {
  const usage = tap.end();
  if (!isCut && usage.totalTokens > 0) return usage;
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const input = read > 0 ? usage.input : Math.ceil(body.length / bytesPerToken.sent);
  const output = Math.max(usage.output, Math.ceil(tap.bytes / bytesPerToken.received));
  return { ...usage, input, output, totalTokens: input + usage.cacheRead + usage.cacheWrite + output };
}

function record(
  { clock, random }: ForwardDeps,
  { agentId, spend }: RelaySession,
  { turn, choice }: AdmittedRequest,
  { usage, isCut }: { readonly usage: Usage; readonly isCut: boolean },
): void {
  spend.record({
    agentId,
    threadKey: turn.threadKey,
    turnId: turn.turnId,
    provider: choice.provider,
    model: choice.model,
    callId: random.uuid(),
    usage,
    simulated: choice.scripted,
    unfinished: isCut,
    at: clock.now(),
  });
}
