/**
 * OpenAI-compatible servers accept different fields. If a server rejects a field by name, the request is sent
 * again without it, once per field, and the adapter remembers this for its lifetime. Any other error passes
 * through unchanged.
 */

import { readResponse } from '../../platform/read-response.ts';

export type Body = Record<string, unknown>;

export interface Remedy {
  /** Matched against the server's error message. */
  readonly named: RegExp;
  /** Returns the body without the field, or the same body if the field is absent. */
  readonly without: (body: Body) => Body;
}

const maxRefusal = 16_384;
const maxRemembered = 200;

export function withoutKeys(body: Body, ...keys: readonly string[]): Body {
  if (!keys.some((key) => key in body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));
}

export function lenientFetch(ask: typeof fetch, remedies: readonly Remedy[]): typeof fetch {
  /** The remedies needed, by URL and model. */
  const remembered = new Map<string, ReadonlySet<Remedy>>();

  return async (input, init) => {
    if (typeof init?.body !== 'string') return ask(input, init);
    // As long as no server rejected a field, a long conversation is not parsed again.
    let response = remembered.size === 0 ? await ask(input, init) : null;
    if (response && !isRefusal(response)) return response;
    const body = JSON.parse(init.body) as Body;
    const who = `${String(input)} ${String(body.model)}`;
    const needed = new Set(remembered.get(who));
    for (;;) {
      const lean = [...needed].reduce((rest, remedy) => remedy.without(rest), body);
      response ??= await ask(input, { ...init, body: JSON.stringify(lean) });
      if (!isRefusal(response)) return response;
      const { text: said } = await readResponse(response, maxRefusal);
      const remedy = remedies.find(
        (one) => !needed.has(one) && one.named.test(said) && one.without(lean) !== lean,
      );
      if (!remedy) return answerAgain(response, said);
      needed.add(remedy);
      response = null;
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(who, new Set(needed));
    }
  };
}

const isRefusal = ({ status }: Response): boolean => status === 400 || status === 422;

const answerAgain = ({ status, headers }: Response, text: string): Response => {
  const kept = new Headers(headers);
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  return new Response(text, { status, headers: kept });
};
