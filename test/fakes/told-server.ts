/** A signed client that records its requests and fails as the test requests. */
import { err, ok } from '../../src/contract/result.ts';
import type { RequestError } from '../../src/services/puffo/request-error.ts';
import type { SignedClient } from '../../src/services/puffo/signed-client.ts';

export interface Told {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ToldServer {
  readonly client: SignedClient;
  readonly told: Told[];
  /** Error of the next requests; `null` if they succeed. */
  failure: RequestError | null;
}

export function createToldServer(): ToldServer {
  const told: Told[] = [];
  const server: ToldServer = {
    told,
    failure: null,
    client: {
      slug: 'bot-0001',
      async json(_method, target, schema, options) {
        told.push({ path: target, body: { ...(options?.body as object) } });
        return server.failure ? err(server.failure) : ok(schema.parse({ ok: true }));
      },
      bytes: () => {
        throw new Error('nothing is sent as bytes here');
      },
    },
  };
  return server;
}
