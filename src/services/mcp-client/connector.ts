/** Connects to MCP servers with the official SDK, in both protocol eras, and limits what a server may send. */
import { err, ok, type Result } from '../../contract/result.ts';
import { createBackoff } from '../../core/lib/backoff.ts';
import type {
  McpConnection,
  McpConnectOptions,
  McpConnector,
  McpHandlers,
  McpServerTarget,
} from '../../core/mcp/mcp-ports.ts';
import type { Random } from '../../core/ports.ts';
import { createCallDeadlines } from './call-deadline.ts';
import { cancelled } from './client-errors.ts';
import { createConnection } from './connection.ts';
import { type LinkOwner, type LinkPorts, openMcpLink } from './link.ts';
import { createOAuthSession, type OAuthPorts, type OAuthSession } from './oauth-session.ts';
import { createMcpSession, type McpSession } from './session.ts';
import { createMcpSubscriptions } from './subscriptions.ts';

export interface McpConnectorDeps extends LinkPorts {
  readonly random: Pick<Random, 'fraction'>;
  readonly oauth: OAuthPorts;
}

const defaultConnectMs = 60_000;
const listenAgain = { firstMs: 1_000, maxMs: 60_000 };

/** `null` if the server is a program, or must not ask for authorization. */
function oauthOf({ oauth }: McpConnectorDeps, { id, config }: McpServerTarget): OAuthSession | null {
  if (config.type !== 'http' || config.oauth === false) return null;
  const chosen = typeof config.oauth === 'object' ? config.oauth : {};
  return createOAuthSession(oauth, { id, url: config.url }, chosen);
}

async function connect(
  deps: McpConnectorDeps,
  server: McpServerTarget,
  handlers: McpHandlers,
  { signal = new AbortController().signal, timeoutMs = defaultConnectMs }: McpConnectOptions,
): Promise<Result<McpConnection>> {
  const deadlines = createCallDeadlines(deps.clock);
  const oauth = oauthOf(deps, server);
  let session: McpSession | null = null;
  const subscriptions = createMcpSubscriptions(createBackoff(listenAgain, deps), handlers.onEvent);
  const owner: LinkOwner = {
    server,
    handlers,
    deadlines,
    oauth,
    onLimit: ({ said }) => void session?.end({ by: 'limit', text: said.text }),
    onSessionLost: () => session?.lost(),
  };
  const link = await openMcpLink(deps, owner, { signal, timeoutMs });
  if (!link.ok) {
    oauth?.close();
    return link;
  }
  session = await createMcpSession(link.value, {
    handlers,
    deadlines,
    oauth,
    subscriptions,
    reopen: (stop) => openMcpLink(deps, owner, { signal: stop, timeoutMs }),
  });
  if (!signal.aborted) return ok(createConnection({ session, handlers, deadlines, subscriptions }));
  await session.end({ by: 'client' });
  return err(cancelled());
}

export const createMcpConnector = (deps: McpConnectorDeps): McpConnector => ({
  connect: (server, handlers, options = {}) => connect(deps, server, handlers, options),
});
