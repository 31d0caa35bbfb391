/**
 * Turns an HTTP response into parsed JSON or a typed refusal. A success that is neither empty nor JSON is an
 * error: some servers answer unknown routes with 200 and an HTML page (spec §2.1).
 */
import { z } from 'zod';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromUtf8 } from '../../core/lib/bytes.ts';
import { say } from '../../language/say.ts';
import type { ServerClock } from './clock-skew.ts';
import { parseJson } from './parse-json.ts';
import { relayMessage } from './relay-message.ts';
import { answered, noAnswer, type RequestError } from './request-error.ts';
import type { ServerAnswer } from './transport.ts';

const refusalSchema = z.looseObject({
  error: z.string().catch(''),
  message: z.string().catch(''),
  said: z.unknown().optional(),
  devices: z.array(z.string().max(200)).max(10_000).catch([]),
});
const silent = { error: '', message: '', said: undefined, devices: [] };

function refusal(answer: ServerAnswer, skew: ServerClock): RequestError {
  const parsed = parseJson(fromUtf8(answer.body) ?? '');
  const said = (parsed.ok ? refusalSchema.safeParse(parsed.value).data : null) ?? silent;
  const error = answered(
    answer.status,
    said.error,
    said.message,
    answer.retryAfterMs,
    said.devices,
    relayMessage(said.said),
  );
  const complaint = answer.status === 401 ? skew.complaint() : null;
  return complaint === null ? error : { ...error, ...textError('unauthenticated', complaint) };
}

/** Returns `null` for an empty body. */
export function readAnswer(
  result: Result<ServerAnswer, RequestError>,
  skew: ServerClock,
): Result<unknown, RequestError> {
  if (!result.ok) return result;
  const answer = result.value;
  skew.heard(answer.serverTime);
  if (answer.status >= 400) return err(refusal(answer, skew));
  if (answer.status < 200 || answer.status >= 300) {
    return err(noAnswer('protocol', say('server.requestRedirected', { status: answer.status })));
  }
  if (answer.body.length === 0) return ok(null);
  const body = fromUtf8(answer.body);
  const parsed = body === null ? null : parseJson(body);
  if (parsed?.ok) return parsed;
  return err(noAnswer('protocol', say('server.answerNotJson')));
}
