/**
 * Authorization at one server (OAuth 2.1 with PKCE): what the SDK asks for, the credentials in the host's store,
 * and the page that the operator opens. Client registrations are bound to the issuer that made them.
 */
import { randomBytes } from 'node:crypto';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { McpAuthorizer, McpCredentialStore, McpRedirect } from '../../core/mcp/mcp-ports.ts';
import type { McpOAuthConfig } from '../../core/mcp/server-config.ts';
import { toAppError } from './client-errors.ts';

export interface OAuthPorts {
  readonly credentials: McpCredentialStore;
  readonly authorizer: McpAuthorizer;
}

export interface OAuthSession {
  readonly provider: OAuthClientProvider;
  /** Before the SDK sees a refusal: listens for the redirect whose address the request for authorization names. */
  prepare(): Promise<void>;
  /** Whether the SDK wants the operator to open a page. */
  isPending(): boolean;
  /** Opens that page, waits for the redirect and exchanges the code. */
  finish(transport: StreamableHTTPClientTransport): Promise<Result<void>>;
  close(): void;
}

const registration = z.looseObject({ client_id: z.string(), issuer: z.string().optional() });
const storedSchema = z.object({
  /** The server to which they belong; another one at the same name gets none of them (T11). */
  server: z.string(),
  /** By issuer. */
  clients: z.record(z.string(), registration).default({}),
  tokens: z.looseObject({ access_token: z.string(), token_type: z.string() }).nullable().default(null),
});

interface Credentials {
  clients: Record<string, StoredOAuthClientInformation>;
  tokens: StoredOAuthTokens | null;
}

/** Parameters may hold keys, and are not the identity of a server. */
const addressOf = (serverUrl: string): string => {
  const { origin, pathname } = new URL(serverUrl);
  return `${origin}${pathname}`;
};

/** Reads the store once, and writes each change. */
function createKeeper({ credentials }: OAuthPorts, { id: serverId, url }: OAuthServer) {
  const server = addressOf(url);
  let kept: Promise<Credentials> | null = null;
  const load = async (): Promise<Credentials> => {
    const text = await credentials.read(serverId);
    const found = text.ok && text.value !== null ? jsonAs(storedSchema, text.value) : null;
    const stored = found?.server === server ? found : null;
    return {
      clients: (stored?.clients ?? {}) as Credentials['clients'],
      tokens: (stored?.tokens ?? null) as StoredOAuthTokens | null,
    };
  };
  const read = (): Promise<Credentials> => {
    kept ??= load();
    return kept;
  };
  return {
    read,
    async change(edit: (kept: Credentials) => void): Promise<void> {
      const now = await read();
      edit(now);
      // An unwritten change is lost at the next start only; the session keeps it.
      await credentials.write(serverId, JSON.stringify({ server, ...now }));
    },
  };
}

const isWebPage = (url: URL): boolean => url.protocol === 'https:' || url.protocol === 'http:';

export interface OAuthServer {
  readonly id: string;
  /** As the operator accepted it. */
  readonly url: string;
}

export function createOAuthSession(
  ports: OAuthPorts,
  server: OAuthServer,
  config: McpOAuthConfig,
): OAuthSession {
  const keeper = createKeeper(ports, server);
  let redirect: McpRedirect | null = null;
  let state = '';
  let page: URL | null = null;
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;

  const stop = (): void => {
    redirect?.close();
    redirect = null;
    page = null;
  };
  /** Bound to the first issuer that used it, so that no other receives the secret. */
  const preregistered = (
    clients: Credentials['clients'],
    issuer: string | undefined,
  ): StoredOAuthClientInformation | undefined => {
    if (config.clientId === undefined) return undefined;
    const bound = Object.values(clients).find(({ client_id }) => client_id === config.clientId)?.issuer;
    return {
      client_id: config.clientId,
      ...(config.clientSecret === undefined ? {} : { client_secret: config.clientSecret }),
      ...((bound ?? issuer) ? { issuer: bound ?? issuer } : {}),
    } as StoredOAuthClientInformation;
  };
  const metadata: OAuthClientMetadata = {
    client_name: 'Kennel',
    redirect_uris: [],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(config.scopes ? { scope: config.scopes.join(' ') } : {}),
  };

  const provider: OAuthClientProvider = {
    // Without an address the SDK would take the client for one that needs no operator.
    get redirectUrl() {
      return redirect?.redirectUri ?? 'http://127.0.0.1/callback';
    },
    get clientMetadata() {
      return { ...metadata, redirect_uris: redirect ? [redirect.redirectUri] : [] };
    },
    ...(config.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: config.clientMetadataUrl }),
    state: () => state,
    async clientInformation(context?: OAuthClientInformationContext) {
      const { clients } = await keeper.read();
      const issuer = context?.issuer;
      return (issuer === undefined ? undefined : clients[issuer]) ?? preregistered(clients, issuer);
    },
    async saveClientInformation(information, context) {
      const issuer = context?.issuer ?? information.issuer;
      if (issuer !== undefined)
        await keeper.change(({ clients }) => {
          clients[issuer] = information;
        });
    },
    tokens: async () => (await keeper.read()).tokens ?? undefined,
    async saveTokens(tokens) {
      await keeper.change((kept) => {
        kept.tokens = tokens;
      });
      if (page === null) stop();
    },
    redirectToAuthorization(url) {
      page = url;
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(found) {
      discovery = found;
    },
    discoveryState: () => discovery,
    invalidateCredentials: (scope) =>
      keeper.change((kept) => {
        if (scope === 'all' || scope === 'client') kept.clients = {};
        if (scope === 'all' || scope === 'tokens') kept.tokens = null;
        if (scope === 'all' || scope === 'discovery') discovery = undefined;
      }),
  };

  return {
    provider,
    async prepare() {
      if (page !== null) return;
      // The server may have moved to another issuer since.
      discovery = undefined;
      if (redirect) return;
      state = randomBytes(32).toString('base64url');
      const listening = await ports.authorizer.listen(state);
      if (listening.ok) redirect = listening.value;
    },
    isPending: () => page !== null && redirect !== null,
    async finish(transport) {
      if (page === null || redirect === null) return err(fail('unauthenticated', 'mcpClient.noPage'));
      try {
        if (!isWebPage(page)) return err(fail('unauthenticated', 'mcpClient.pageNotWeb'));
        const opened = await ports.authorizer.openPage(server.id, page.href);
        if (!opened.ok) return opened;
        const answer = await redirect.answer;
        if (!answer.ok) return answer;
        const { code, iss } = answer.value;
        await transport.finishAuth(code, iss ?? undefined);
        return ok(undefined);
      } catch (error) {
        return err(toAppError(error));
      } finally {
        stop();
      }
    },
    close: stop,
  };
}
