/** Signs single requests to one server with a given key, and explains refusals by the clock difference. */
import type { Result } from '../../contract/result.ts';
import type { Clock, CryptoEngine } from '../../core/ports.ts';
import { type RequestSigner, signRequest } from '../../core/puffo/http-signing.ts';
import type { HostText } from '../../language/host-message.ts';
import type { ServerClock } from './clock-skew.ts';
import { readAnswer } from './read-answer.ts';
import type { RequestError } from './request-error.ts';
import type { ServerAnswer, ServerExchange, Transport } from './transport.ts';

export interface SignedRequestsDeps {
  readonly transport: Transport;
  readonly skew: ServerClock;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
}

export type RequestToSend = Omit<ServerExchange, 'headers'> & { readonly contentType?: string };

export interface SignedRequests {
  send(request: RequestToSend, signer: RequestSigner): Promise<Result<ServerAnswer, RequestError>>;
  /** The parsed JSON of a response, or the typed refusal. */
  read(answer: Result<ServerAnswer, RequestError>): Result<unknown, RequestError>;
  /** A sentence if the difference of the clocks explains a refusal, or `null`. */
  clockComplaint(): HostText | null;
}

export function createSignedRequests(deps: SignedRequestsDeps): SignedRequests {
  const { transport, skew, crypto, clock } = deps;
  const random = { bytes: (length: number) => crypto.randomBytes(length) };
  return {
    async send({ contentType = 'application/json', ...request }, signer) {
      const signed = signRequest(crypto, request, signer, clock.now(), random);
      const answer = await transport.send({
        ...request,
        headers: { ...signed, 'content-type': contentType },
      });
      if (answer.ok) skew.heard(answer.value.serverTime);
      return answer;
    },
    read: (answer) => readAnswer(answer, skew),
    clockComplaint: () => skew.complaint(),
  };
}
