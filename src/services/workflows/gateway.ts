/**
 * The only workflow module that opens a connection: tool calls behind a gateway. It follows no redirect,
 * reads no more than it needs, and takes the token from the environment so that no stage has to.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { stringifyExact } from '../../core/workflows/pipeline/exact-json.ts';
import type { GatewayPort, InvokeRequest } from '../../core/workflows/pipeline/pipeline-ports.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The first variable that is set wins. */
const prefixes = ['PUPPY', 'FLUFFBUZZ', 'OPENCLAW', 'CLAWD'];
const firstOf = (env: Variables, name: string): string | null =>
  prefixes.map((prefix) => env[`${prefix}_${name}`]).find((value) => value !== undefined && value !== '') ??
  null;

/** Maximum bytes of a response. */
const maxAnswer = 10 * 1024 * 1024;

async function textOf(response: Response): Promise<Result<string>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxAnswer) return err(fail('too_large', 'workflows.answerTooLarge', { n: maxAnswer }));
    chunks.push(chunk);
  }
  return ok(new TextDecoder().decode(Buffer.concat(chunks)));
}

async function post(
  { url, token, body }: InvokeRequest,
  ambient: string | null,
  signal: AbortSignal,
): Promise<Result<{ status: number; body: string }>> {
  const secret = token.kind === 'given' ? token.value : token.kind === 'ambient' ? ambient : null;
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/tools/invoke`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      body: stringifyExact(body),
      redirect: 'manual',
      signal,
    });
    const text = await textOf(response);
    return text.ok ? ok({ status: response.status, body: text.value }) : text;
  } catch {
    if (signal.aborted) return err(fail('cancelled', 'workflows.callCancelled'));
    return err(fail('unavailable', 'models.serverUnreachable', { server: new URL(url).host }));
  }
}

export function createGateway(env: Variables): GatewayPort {
  const token = firstOf(env, 'TOKEN');
  return {
    ambient: { url: firstOf(env, 'URL'), hasToken: token !== null },
    post: (request, signal) => post(request, token, signal),
  };
}
