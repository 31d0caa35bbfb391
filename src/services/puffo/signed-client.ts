/**
 * Signed requests in an account's name (spec §2.1): a 401 renews the subkey once and repeats once; otherwise
 * only a GET is repeated, once, after a broken connection.
 */
import type { z } from 'zod';
import { err, ok, type Result } from '../../contract/result.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock } from '../../core/ports.ts';
import type { Session } from '../../core/puffo/identity.ts';
import { say } from '../../language/say.ts';
import { noAnswer, type RequestError } from './request-error.ts';
import type { SignedRequests } from './signed-requests.ts';
import type { Subkeys } from './subkeys.ts';
import type { ServerAnswer, ServerExchange } from './transport.ts';

export interface RequestOptions {
  /** An object is sent as JSON (an empty one as no body at all); text and bytes are sent unchanged. */
  readonly body?: object | string | Uint8Array;
  readonly contentType?: string;
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
  /** Reports bytes of the body sent so far; progress extends the deadline. */
  readonly onSent?: (bytes: number) => void;
  /** Aborts this request; the end of the account does so anyway. */
  readonly signal?: AbortSignal;
}

export interface SignedClient {
  readonly slug: string;
  json<T>(
    method: ServerExchange['method'],
    target: string,
    schema: z.ZodType<T>,
    options?: RequestOptions,
  ): Promise<Result<T, RequestError>>;
  /** The raw response, success or not. */
  bytes(
    method: ServerExchange['method'],
    target: string,
    options?: RequestOptions,
  ): Promise<Result<ServerAnswer, RequestError>>;
}

export interface SignedClientDeps {
  readonly slug: string;
  readonly requests: SignedRequests;
  readonly subkeys: Subkeys;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Ask {
  readonly method: ServerExchange['method'];
  readonly target: string;
  readonly options: RequestOptions;
}

/**
 * A subkey younger than this may still be replicating on the server's side: wait and retry with the same one.
 */
const freshMs = 10_000;
const settleWaitsMs = [250, 750, 1_500, 2_500];
const encoder = new TextEncoder();

function bodyBytes(body: RequestOptions['body']): Uint8Array | null {
  if (body === undefined || body instanceof Uint8Array) return body ?? null;
  if (typeof body === 'string') return encoder.encode(body);
  return Object.keys(body).length === 0 ? null : encoder.encode(JSON.stringify(body));
}

export const createSignedClient = (deps: SignedClientDeps): SignedClient => new SubkeyClient(deps);

/** A class, because a host keeps one for each agent. */
class SubkeyClient implements SignedClient {
  readonly #deps: SignedClientDeps;

  constructor(deps: SignedClientDeps) {
    this.#deps = deps;
  }

  get slug(): string {
    return this.#deps.slug;
  }

  async bytes(
    method: ServerExchange['method'],
    target: string,
    options: RequestOptions = {},
  ): Promise<Result<ServerAnswer, RequestError>> {
    const { signal, subkeys } = this.#deps;
    const ask = { method, target, options };
    if (signal.aborted) return err(noAnswer('cancelled', say('server.accountStopped')));
    const session = await subkeys.current();
    if (!session.ok) return session;
    const answer = await this.#settled(ask, session.value);
    if (!answer.ok || answer.value.status !== 401) return answer;
    const renewed = await subkeys.refused(session.value);
    return renewed.ok ? this.#settled(ask, renewed.value) : answer;
  }

  async json<T>(
    method: ServerExchange['method'],
    target: string,
    schema: z.ZodType<T>,
    options?: RequestOptions,
  ): Promise<Result<T, RequestError>> {
    const read = this.#deps.requests.read(await this.bytes(method, target, options));
    if (!read.ok) return read;
    const parsed = schema.safeParse(read.value);
    if (parsed.success) return ok(parsed.data);
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    return err(
      noAnswer(
        'protocol',
        field === '' ? say('server.invalidAnswer') : say('server.invalidAnswerField', { field }),
      ),
    );
  }

  /**
   * Retries a fresh subkey that is refused after a wait; a 401 executed nothing, so any method may be
   * repeated.
   */
  async #settled(ask: Ask, session: Session): Promise<Result<ServerAnswer, RequestError>> {
    const { subkeys, clock, signal } = this.#deps;
    let answer = await this.#steady(ask, session);
    for (const wait of settleWaitsMs) {
      if (!answer.ok || answer.value.status !== 401 || subkeys.ageMs() > freshMs) return answer;
      if (!(await sleep(clock, wait, signal))) return answer;
      answer = await this.#steady(ask, session);
    }
    return answer;
  }

  async #steady(ask: Ask, session: Session): Promise<Result<ServerAnswer, RequestError>> {
    const first = await this.#once(ask, session);
    const broke = !first.ok && first.error.code === 'unavailable';
    return broke && ask.method === 'GET' ? this.#once(ask, session) : first;
  }

  #once({ method, target, options }: Ask, session: Session): Promise<Result<ServerAnswer, RequestError>> {
    const { slug, requests, signal: ended } = this.#deps;
    const { body, signal, ...further } = options;
    const signer = { slug, signerId: session.subkeyId, secret: session.secret };
    const request = {
      ...further,
      method,
      target,
      body: bodyBytes(body),
      signal: signal ? AbortSignal.any([ended, signal]) : ended,
    };
    return requests.send(request, signer);
  }
}
