import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createMcpRig } from '../../../test/fakes/mcp-rig.ts';
import { serveOnLoopback } from '../../../test/fakes/on-loopback.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { McpAuthorizer } from '../../core/mcp/mcp-ports.ts';
import { mcpServerConfigSchema } from '../../core/mcp/server-config.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

/** Records what it is asked. */
async function serve(answer: Answer) {
  const asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = await serveOnLoopback((req, res) => {
    asked.push({ url: req.url ?? '', headers: req.headers });
    answer(req, res);
  });
  stops.push(server.stop);
  return { url: server.url, asked };
}

const json = (res: ServerResponse, value: unknown): void => {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const nothing: Answer = (_req, res) => void res.writeHead(404).end();
const demands =
  (metadata: () => string): Answer =>
  (_req, res) =>
    void res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata()}"` }).end();

describe('Authorization at a server', () => {
  it('sends the configured headers to no address that the server names (T11)', async () => {
    const other = await serve(nothing);
    const server = await serve(demands(() => `${other.url}/.well-known/oauth-protected-resource`));
    const rig = createMcpRig({});
    const config = mcpServerConfigSchema.parse({
      url: `${server.url}/mcp`,
      headers: { 'X-Api-Key': 'key-of-the-operator' },
    });
    expect(await rig.connector.connect({ id: 'a', config }, rig.handlers)).toMatchObject({ ok: false });
    expect(server.asked[0]?.headers['x-api-key']).toBe('key-of-the-operator');
    expect(other.asked.length).toBeGreaterThan(0);
    expect(JSON.stringify(other.asked)).not.toContain('key-of-the-operator');
  });

  it('sends tokens only to the address that they were made for (T11)', async () => {
    const server = await serve(nothing);
    const tokenOf = async (address: string) => {
      const tokens = { access_token: 'the-token', token_type: 'Bearer' };
      const rig = createMcpRig({ credentials: JSON.stringify({ server: address, clients: {}, tokens }) });
      const config = mcpServerConfigSchema.parse({ url: `${server.url}/mcp?a=1` });
      await rig.connector.connect({ id: 'a', config }, rig.handlers);
      return server.asked.splice(0)[0]?.headers.authorization;
    };
    expect(await tokenOf(`${server.url}/mcp`)).toBe('Bearer the-token');
    expect(await tokenOf('https://mcp.example/mcp')).toBeUndefined();
    expect(await tokenOf(`${server.url}/other`)).toBeUndefined();
  });

  it('does not wait for the operator once it is stopped (F25)', async () => {
    const server = await serve((req, res) => {
      const base = server.url;
      const { url = '' } = req;
      if (url.startsWith('/.well-known/oauth-protected-resource'))
        return json(res, { resource: `${base}/mcp`, authorization_servers: [base] });
      if (url.startsWith('/.well-known/'))
        return json(res, {
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        });
      if (url === '/register')
        return json(res, { client_id: 'c', redirect_uris: ['http://127.0.0.1/callback'] });
      return demands(() => `${base}/.well-known/oauth-protected-resource`)(req, res);
    });
    const stop = new AbortController();
    const pages: string[] = [];
    const authorizer: McpAuthorizer = {
      async listen() {
        let end: (answer: Result<never>) => void = () => undefined;
        const answer = new Promise<Result<never>>((resolve) => {
          end = resolve;
        });
        const close = () => end(err(textError('cancelled', 'closed')));
        return ok({ redirectUri: 'http://127.0.0.1/callback', answer, close });
      },
      async openPage(_id, url) {
        pages.push(url);
        // The operator does nothing, and the host stops.
        setImmediate(() => stop.abort());
        return ok(undefined);
      },
    };
    const rig = createMcpRig({ authorizer });
    const config = mcpServerConfigSchema.parse({ url: `${server.url}/mcp` });
    const opened = await rig.connector.connect({ id: 'a', config }, rig.handlers, { signal: stop.signal });
    expect(opened).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    expect(pages).toHaveLength(1);
  });
});
