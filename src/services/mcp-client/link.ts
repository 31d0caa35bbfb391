/**
 * One client of the SDK with its transport. Opening it negotiates the era, with the verdict of the last time, and
 * authorizes; a failed attempt leaves nothing behind.
 */
import {
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import { onAbort } from '../../core/loop/on-abort.ts';
import type {
  McpEraCache,
  McpHandlers,
  McpProgram,
  McpProgramStarter,
  McpServerTarget,
} from '../../core/mcp/mcp-ports.ts';
import type { McpHttpConfig } from '../../core/mcp/server-config.ts';
import type { Clock } from '../../core/ports.ts';
import type { CallDeadlines } from './call-deadline.ts';
import { cancelled, causeOf, isUnauthorized, timedOut, toAppError, visibleReason } from './client-errors.ts';
import { createFetchGuard, createGuardedFetch } from './guarded-fetch.ts';
import { limitResponse, type McpLimitError, maxListPages } from './message-limits.ts';
import type { OAuthSession } from './oauth-session.ts';
import { createProgramTransport } from './program-transport.ts';
import { schemaCheck } from './schema-check.ts';
import { answerRequests, capabilitiesFor } from './server-requests.ts';

export interface LinkPorts {
  /** Of Kennel, which the server sees. */
  readonly version: string;
  readonly clock: Clock;
  readonly startProgram: McpProgramStarter;
  readonly eras: McpEraCache;
}

export interface LinkOwner {
  readonly server: McpServerTarget;
  readonly handlers: McpHandlers;
  readonly deadlines: CallDeadlines;
  /** `null` if the server is a program, or must not ask for authorization. */
  readonly oauth: OAuthSession | null;
  onLimit(error: McpLimitError): void;
  /** The server no longer knows the session. */
  onSessionLost(): void;
}

export interface Link {
  readonly client: Client;
  readonly transport: Transport;
  readonly program: McpProgram | null;
  close(): Promise<void>;
}

/** A server of the old era is asked again after this time, because it may have been updated. */
const legacyVerdictMs = 7 * 86_400_000;
/** ms that a program may leave the first request unanswered until it counts as one of the old era. */
const probeMs = 10_000;
const modernVersion = '2026-07-28';
const maxAuthorizations = 2;
/** Shortest wait before a broken stream is opened again, whatever the server asks for. */
const minReconnectMs = 200;

const verdictSchema = z.object({ era: z.enum(['legacy', 'modern']), at: z.number() });
type Era = z.output<typeof verdictSchema>['era'];

function readVerdict({ eras, clock }: LinkPorts, serverId: string): Era | null {
  const text = eras.read(serverId);
  const verdict = text === null ? null : jsonAs(verdictSchema, text);
  if (verdict === null) return null;
  const isOld = Math.abs(clock.now() - verdict.at) > legacyVerdictMs;
  return verdict.era === 'legacy' && isOld ? null : verdict.era;
}

function newClient({ version }: LinkPorts, { handlers, deadlines }: LinkOwner, verdict: Era | null): Client {
  const client = new Client(
    { name: 'kennel', version },
    {
      capabilities: capabilitiesFor(handlers),
      versionNegotiation: {
        mode: verdict === 'modern' ? { pin: modernVersion } : 'auto',
        probe: { timeoutMs: probeMs },
      },
      jsonSchemaValidator: schemaCheck,
      listMaxPages: maxListPages,
    },
  );
  answerRequests(client, handlers, deadlines);
  return client;
}

/**
 * The SDK adds the configured headers to every request, also to those for addresses that the server names. They may
 * hold keys, which are for the configured server only (T11).
 */
function withoutOwnHeaders(init: RequestInit | undefined, own: McpHttpConfig['headers']): RequestInit {
  const headers = new Headers(init?.headers);
  for (const [name, value] of Object.entries(own))
    if (headers.get(name) === new Headers([[name, value]]).get(name)) headers.delete(name);
  return { ...init, headers };
}

function httpTransport(
  { clock }: LinkPorts,
  { oauth, onLimit, onSessionLost }: LinkOwner,
  config: McpHttpConfig,
): StreamableHTTPClientTransport {
  const serverUrl = new URL(config.url);
  const guarded = createGuardedFetch(createFetchGuard(serverUrl));
  return new StreamableHTTPClientTransport(serverUrl, {
    requestInit: { headers: config.headers },
    ...(oauth ? { authProvider: oauth.provider } : {}),
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 60_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: Number.POSITIVE_INFINITY,
    },
    reconnectionScheduler: (reconnect, delay) => {
      const timer = clock.after(Math.max(minReconnectMs, delay), reconnect, { unref: true });
      return () => timer.cancel();
    },
    fetch: async (input, init) => {
      const url = new URL(input);
      if (url.origin !== serverUrl.origin) return guarded(url, withoutOwnHeaders(init, config.headers));
      if (url.href !== serverUrl.href) return guarded(url, init);
      const response = await fetch(input, init);
      if (response.status === 401 || response.status === 403) await oauth?.prepare();
      if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) onSessionLost();
      return limitResponse(response, onLimit);
    },
  });
}

async function makeTransport(
  ports: LinkPorts,
  owner: LinkOwner,
  signal: AbortSignal,
): Promise<Result<Omit<Link, 'client' | 'close'>>> {
  const { server, onLimit } = owner;
  if (server.config.type === 'http')
    return ok({ transport: httpTransport(ports, owner, server.config), program: null });
  const started = await ports.startProgram(server, server.config, signal);
  if (!started.ok) return started;
  const program = started.value;
  return ok({ transport: createProgramTransport(program, onLimit), program });
}

/** The end of the program's error output explains a failed start best. */
function withOutput(error: AppError, program: McpProgram | null): AppError {
  const tail = program?.stderrTail().trim().split('\n').at(-1) ?? '';
  if (tail === '' || (error.code !== 'unavailable' && error.code !== 'protocol')) return error;
  return fail('unavailable', 'mcpClient.programFailed', { reason: visibleReason(tail) });
}

interface Attempt {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly verdict: Era | null;
  /** Pages that the operator has been shown for this link. */
  readonly authorizations: number;
}

type AttemptResult =
  | { readonly kind: 'open'; readonly link: Link }
  | { readonly kind: 'failed'; readonly error: AppError }
  | { readonly kind: 'authorized' }
  /** The next attempt begins with this verdict. */
  | { readonly kind: 'again'; readonly verdict: Era | null; readonly error: AppError };

async function attempt(
  ports: LinkPorts,
  owner: LinkOwner,
  { signal, timeoutMs, verdict, authorizations }: Attempt,
): Promise<AttemptResult> {
  const made = await makeTransport(ports, owner, signal);
  if (!made.ok) return { kind: 'failed', error: made.error };
  const { transport, program } = made.value;
  const client = newClient(ports, owner, verdict);
  const close = async (): Promise<void> => {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await client.connect(transport, {
      signal,
      timeout: timeoutMs,
      ...(verdict === 'legacy' ? { prior: { kind: 'legacy' } } : {}),
    });
    return { kind: 'open', link: { client, transport, program, close } };
  } catch (error) {
    const mayAuthorize = !signal.aborted && authorizations < maxAuthorizations;
    const authorized = mayAuthorize ? await authorize(error, owner, { transport, signal }) : null;
    await close();
    if (authorized)
      return authorized.ok ? { kind: 'authorized' } : { kind: 'failed', error: authorized.error };
    return signal.aborted ? { kind: 'failed', error: cancelled() } : judge(error, program, verdict);
  }
}

/** `null` if the failure was no refusal that the operator can lift. */
async function authorize(
  error: unknown,
  { oauth }: LinkOwner,
  { transport, signal }: { readonly transport: Transport; readonly signal: AbortSignal },
): Promise<Result<void> | null> {
  if (!causeOf(error, isUnauthorized) || !oauth?.isPending()) return null;
  if (!(transport instanceof StreamableHTTPClientTransport)) return null;
  // Without this a host that stops would wait for the operator.
  const stop = onAbort(signal, () => oauth.close());
  try {
    return await oauth.finish(transport);
  } finally {
    stop();
  }
}

function judge(error: unknown, program: McpProgram | null, verdict: Era | null): AttemptResult {
  const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  if (isTimeout) return { kind: 'failed', error: timedOut() };
  const failed = withOutput(toAppError(error), program);
  if (verdict !== null && failed.code !== 'unauthenticated')
    return { kind: 'again', verdict: null, error: failed };
  // Some programs of the old era end at a request that precedes `initialize`.
  if (verdict === null && program !== null && failed.code === 'unavailable')
    return { kind: 'again', verdict: 'legacy', error: failed };
  return { kind: 'failed', error: failed };
}

export async function openMcpLink(
  ports: LinkPorts,
  owner: LinkOwner,
  { signal, timeoutMs }: Pick<Attempt, 'signal' | 'timeoutMs'>,
): Promise<Result<Link>> {
  const { id } = owner.server;
  let verdict = readVerdict(ports, id);
  let authorizations = 0;
  const tried = new Set<Era | null>([verdict]);
  for (;;) {
    if (signal.aborted) return err(cancelled());
    const result = await attempt(ports, owner, { signal, timeoutMs, verdict, authorizations });
    switch (result.kind) {
      case 'open': {
        const era = result.link.client.getProtocolEra() ?? 'legacy';
        // The age of a verdict counts from the probe.
        if (era !== verdict) ports.eras.write(id, JSON.stringify({ era, at: ports.clock.now() }));
        return ok(result.link);
      }
      case 'failed':
        return err(result.error);
      case 'authorized':
        authorizations += 1;
        break;
      case 'again':
        if (tried.has(result.verdict)) return err(result.error);
        ports.eras.write(id, null);
        verdict = result.verdict;
        tried.add(verdict);
        break;
    }
  }
}
