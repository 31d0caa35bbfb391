/** An authorization server on loopback: code with PKCE, device code, rotating refresh tokens, revocation. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LoginSettings } from '../../src/core/models/logins.ts';

export interface OAuthServer {
  readonly settings: LoginSettings;
  /** Every request to an endpoint, with its form or JSON body. */
  readonly asked: { readonly path: string; readonly body: Record<string, string> }[];
  readonly revoked: string[];
  /** Approves the request at this address, and returns the URL that the browser is redirected to. */
  approve(authorizeUrl: string, change?: Readonly<Record<string, string>>): string;
  confirmDevice(): void;
  /** Sets the response to the next request to the token endpoint. */
  answerNext(status: number, body: object): void;
  readonly rules: {
    /** In seconds; `null` if the server does not send it. */
    expiresIn: number | null;
    /** Omits the refresh token from refresh responses. */
    dropsRefresh: boolean;
    /** Delay of the token endpoint, in ms. */
    slowMs: number;
  };
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');
const idToken = `x.${Buffer.from('{"email":"ada@example.org"}').toString('base64url')}.x`;

export async function openOAuthServer(): Promise<OAuthServer> {
  const asked: OAuthServer['asked'] = [];
  const revoked: string[] = [];
  const grants = new Map<string, Grant>();
  const rules: OAuthServer['rules'] = { expiresIn: 3_600, dropsRefresh: false, slowMs: 0 };
  let next: { status: number; body: object } | null = null;
  let confirmed = false;
  let made = 0;
  /** The only valid refresh token; older ones are rejected. */
  let refresh = '';

  const tokens = (withRefresh: boolean) => {
    made += 1;
    if (withRefresh) refresh = `refresh-${made}`;
    return {
      access_token: `access-${made}`,
      token_type: 'Bearer',
      id_token: idToken,
      ...(withRefresh ? { refresh_token: refresh } : {}),
      ...(rules.expiresIn === null ? {} : { expires_in: rules.expiresIn }),
    };
  };
  const refuse = (error: string) => ({ status: 400, body: { error } });
  const onCode = (body: Record<string, string>) => {
    const grant = grants.get(body.code ?? '');
    grants.delete(body.code ?? '');
    const holds = grant && s256(body.code_verifier ?? '') === grant.challenge;
    if (!holds) return refuse('invalid_grant');
    if (body.grant_type === undefined)
      return { status: 200, body: { key: 'sk-or-bought', user_id: 'user_1' } };
    if (body.redirect_uri !== grant.redirectUri) return refuse('invalid_grant');
    return { status: 200, body: tokens(true) };
  };
  const onToken = (body: Record<string, string>) => {
    if (body.grant_type === 'refresh_token') {
      if (body.refresh_token !== refresh) return refuse('invalid_grant');
      return { status: 200, body: tokens(!rules.dropsRefresh) };
    }
    if (body.grant_type?.endsWith(':device_code')) {
      return confirmed ? { status: 200, body: tokens(true) } : refuse('authorization_pending');
    }
    return onCode(body);
  };
  const answer = (path: string, body: Record<string, string>) => {
    if (path === '/revoke') {
      revoked.push(body.token ?? '');
      return { status: 200, body: {} };
    }
    if (path === '/device') {
      const address = { verification_uri: `${base}/activate`, user_code: 'WDJB-MJHT' };
      return { status: 200, body: { ...address, device_code: 'dev-1', expires_in: 900, interval: 5 } };
    }
    const given = next;
    next = null;
    return given ?? onToken(body);
  };
  const server = createServer((req, res) => {
    void serve(req, res);
  });
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of req) text += String(piece);
    const json = req.headers['content-type'] === 'application/json';
    const body = json
      ? (JSON.parse(text) as Record<string, string>)
      : Object.fromEntries(new URLSearchParams(text));
    const path = req.url ?? '';
    asked.push({ path, body });
    const { status, body: said } = answer(path, body);
    if (rules.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, rules.slowMs));
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(said));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;

  return {
    settings: {
      client_id: 'kennel-test',
      authorize_url: `${base}/authorize`,
      token_url: `${base}/token`,
      device_url: `${base}/device`,
      revoke_url: `${base}/revoke`,
      scopes: ['models', 'offline'],
    },
    asked,
    revoked,
    rules,
    approve(authorizeUrl, change = {}) {
      const url = new URL(authorizeUrl);
      const query = url.searchParams;
      if (query.get('code_challenge_method') !== 'S256') throw new Error('PKCE with S256 is needed');
      const redirectUri = query.get('redirect_uri') ?? query.get('callback_url') ?? '';
      const code = `code-${grants.size + 1}`;
      grants.set(code, { challenge: query.get('code_challenge') ?? '', redirectUri });
      const back = new URL(redirectUri);
      const state = query.get('state');
      const answers = { code, ...(state === null ? {} : { state }), ...change };
      for (const [key, value] of Object.entries(answers)) back.searchParams.set(key, value);
      return back.href;
    },
    confirmDevice() {
      confirmed = true;
    },
    answerNext(status, body) {
      next = { status, body };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
