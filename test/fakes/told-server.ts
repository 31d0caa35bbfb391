/** A signed client that keeps what it is asked to send, and fails as a test says. */
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
  /** What the next requests fail with; null: they succeed. */
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
