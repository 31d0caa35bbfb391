/**
 * The model relay: agent programs reach the model of their agent through it, on loopback or by a Unix socket,
 * with a token per process. The key of the provider stays in the host (T18), and every request is paid from the
 * budget of its agent (T27).
 */
import { randomBytes } from 'node:crypto';
import { Agent, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { AppError } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { Clock, Log, Random } from '../../../core/ports.ts';
import type { ModelRelay, ModelRelayPort, RelaySession } from '../../../core/runtimes/harness-ports.ts';
import { isJsonType, loopbackHosts, refuseForeign } from '../../../platform/http-guards.ts';
import { listenOn } from '../../../platform/listen-on.ts';
import { closeHttpServer, createLoopbackServer } from '../../../platform/loopback-server.ts';
import { listenForOwner } from '../../../platform/owner-socket.ts';
import {
  BodyBudget,
  type BodyBudgetLimits,
  type BodyProblem,
  readBody,
} from '../../../platform/read-body.ts';
import { findBySecret, secretDigest } from '../../../platform/same-secret.ts';
import type { RelayConnections } from './relay-forward.ts';
import { type RelayRefusal, refuse } from './relay-refusal.ts';
import { relayRequest } from './relay-request.ts';
import { findRoute, isModelList, type ModelRoute, modelList } from './relay-routes.ts';

export interface ModelRelayDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Path of a new Unix socket in a folder of the owner; `id` is unique. */
  readonly socketPath: (id: string) => Result<string>;
  /** Registers a token for redaction in the log. */
  readonly addSecret: (secret: string) => void;
}

export interface ModelRelayOptions {
  /** Serves MCP requests whose caller was checked; loaded with the first one. Absent: no MCP server. */
  readonly openTools?: (session: Pick<RelaySession, 'agentId' | 'tools'>) => Promise<RelayTools>;
  /** Memory for the bodies of requests; absent: 256 MiB, of one program 128 MiB. */
  readonly heldBytes?: BodyBudgetLimits;
}

export interface RelayTools {
  serve(incoming: IncomingMessage, outgoing: ServerResponse): void;
  close(): Promise<void>;
}

export interface ModelRelays extends ModelRelayPort {
  close(): Promise<void>;
}

interface Access {
  readonly digest: Buffer;
  readonly session: RelaySession;
  /** Listens on the socket of the program. */
  readonly server: HttpServer;
  /** Requests under way. */
  running: number;
  tools: Promise<RelayTools> | null;
}

/** As providers allow; a conversation with images is large. */
const maxBodyBytes = 32 * 1024 * 1024;
const bodyMs = 60_000;
/** Bytes of requests under way, which stay in memory until their response has ended: of all programs, and of one. */
const heldBytes: BodyBudgetLimits = {
  bytes: 256 * 1024 * 1024,
  bytesPerAddress: 128 * 1024 * 1024,
  slowMs: 10_000,
};
/** Sub-agents of one program ask at the same time. */
const maxRunning = 16;
/** ms that a connection to a server is kept for the next request. */
const keptMs = 30_000;
const limits = { requestMs: 120_000, keepAliveMs: 60_000, maxConnections: 512 } as const;

export function createModelRelays(deps: ModelRelayDeps, options: ModelRelayOptions = {}): ModelRelays {
  const accesses = new Set<Access>();
  const connections: RelayConnections = {
    http: new Agent({ keepAlive: true, timeout: keptMs }),
    https: new SecureAgent({ keepAlive: true, timeout: keptMs }),
  };
  let hosts: ReadonlySet<string> = new Set();
  const bodies = new BodyBudget(options.heldBytes ?? heldBytes, deps.clock);
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answer({ ...deps, ...options, connections, accesses, hosts, bodies }, incoming, outgoing).catch(
      (error: unknown) => {
        deps.log.error('model_relay_failed', { error });
        outgoing.destroy();
      },
    );
  };
  let opening: Promise<Result<Loopback>> | null = null;
  const loopback = (): Promise<Result<Loopback>> => {
    opening ??= openLoopback(serve).then((opened) => {
      if (opened.ok) hosts = loopbackHosts(opened.value.port);
      else opening = null;
      return opened;
    });
    return opening;
  };

  return {
    async open(session) {
      const shared = await loopback();
      if (!shared.ok) return shared;
      const path = deps.socketPath(deps.random.uuid().slice(0, 8));
      if (!path.ok) return path;
      const own = createLoopbackServer(limits, serve);
      const listening = await listenForOwner(own, path.value);
      if (!listening.ok) return err(notListening(listening.error));
      const token = `kennel-model-${randomBytes(32).toString('base64url')}`;
      deps.addSecret(token);
      const access: Access = { digest: secretDigest(token), session, server: own, running: 0, tools: null };
      accesses.add(access);
      const relay: ModelRelay = {
        url: `http://127.0.0.1:${shared.value.port}`,
        socketPath: path.value,
        token,
        async close() {
          accesses.delete(access);
          await closeAccess(access);
        },
      };
      return ok(relay);
    },
    async close() {
      // A person's terminal may still use one.
      await Promise.all([...accesses].map(closeAccess));
      accesses.clear();
      const shared = await opening;
      if (shared?.ok) await closeHttpServer(shared.value.server);
      connections.http.destroy();
      connections.https.destroy();
    },
  };
}

async function closeAccess({ tools, server }: Access): Promise<void> {
  await Promise.all([tools?.then((served) => served.close()), closeHttpServer(server)]);
}

interface Loopback {
  readonly server: HttpServer;
  readonly port: number;
}

async function openLoopback(
  serve: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Promise<Result<Loopback>> {
  const server = createLoopbackServer(limits, serve);
  const listening = await listenOn(server, { host: '127.0.0.1', port: 0 });
  return listening.ok ? ok({ server, port: listening.port }) : err(notListening(listening.error));
}

const notListening = ({ message }: Error): AppError =>
  fail('io_error', 'modelRelay.notListening', { why: message });

interface Serving extends Pick<ModelRelayDeps, 'clock' | 'random'>, Pick<ModelRelayOptions, 'openTools'> {
  readonly connections: RelayConnections;
  readonly accesses: ReadonlySet<Access>;
  readonly hosts: ReadonlySet<string>;
  readonly bodies: BodyBudget;
}

async function answer(serving: Serving, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = URL.parse(incoming.url ?? '', 'http://127.0.0.1');
  const route = url && findRoute(url.pathname);
  if (url && incoming.method === 'GET' && isModelList(url.pathname))
    return answerModels(serving, incoming, outgoing, url.pathname);
  if (url?.pathname === mcpPath && serving.openTools)
    return answerMcp({ ...serving, openTools: serving.openTools }, incoming, outgoing);
  const access = check(serving, incoming, route);
  if (!access.ok) return refuse(outgoing, route?.format ?? null, access.error);
  if (!url || !route) return;
  const { session } = access.value;
  // The key may have to be renewed, which can happen while the body arrives.
  const chosen = Promise.resolve(session.models.choose());
  access.value.running += 1;
  const lease = serving.bodies.open(access.value.digest.toString('hex'));
  outgoing.once('close', () => {
    access.value.running -= 1;
    lease.release();
  });
  const body = await readBody(incoming, { bytes: maxBodyBytes, ms: bodyMs }, serving.clock, lease);
  if (!body.ok) return refuse(outgoing, route.format, bodyRefusals[body.problem]);
  const { buffer, byteOffset, length } = body.value;
  await relayRequest(
    serving,
    {
      session,
      route,
      query: url.searchParams,
      incoming,
      outgoing,
      body: Buffer.from(buffer, byteOffset, length),
    },
    chosen,
  );
}

/** Of the MCP server with the tools of the host. */
const mcpPath = '/mcp';

async function answerMcp(
  serving: Serving & Required<Pick<Serving, 'openTools'>>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const access = checkCaller(serving, incoming);
  if (!access.ok) return refuse(outgoing, null, access.error);
  const { value } = access;
  value.tools ??= serving.openTools(value.session).catch((error: unknown) => {
    value.tools = null;
    throw error;
  });
  (await value.tools).serve(incoming, outgoing);
}

const tooSlow: RelayRefusal = { status: 408, error: fail('too_large', 'proxy.requestTooSlow') };
const bodyRefusals: Readonly<Record<BodyProblem, RelayRefusal>> = {
  too_large: { status: 413, error: fail('too_large', 'modelRelay.tooLarge') },
  too_slow: tooSlow,
  gone: tooSlow,
  busy: { status: 429, error: fail('rate_limited', 'proxy.tooManyAnswers'), retryAfterS: 2 },
};

async function answerModels(
  serving: Serving,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string,
): Promise<void> {
  const access = checkCaller(serving, incoming);
  if (!access.ok) return refuse(outgoing, null, access.error);
  const chosen = await access.value.session.models.choose();
  if (!chosen.ok) return refuse(outgoing, null, { status: 400, error: chosen.error });
  outgoing.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  outgoing.end(JSON.stringify(modelList(path, chosen.value.model)));
}

/** The access whose token a request bears. */
function checkCaller(
  { accesses, hosts }: Serving,
  { headers }: IncomingMessage,
): Result<Access, RelayRefusal> {
  const foreign = refuseForeign(headers, hosts, 'none');
  if (foreign) return err({ status: foreign.status, error: fail('forbidden', 'proxy.browserForbidden') });
  const token = tokenOf(headers);
  const access = token === null ? null : findBySecret(accesses, ({ digest }) => digest, token);
  return access
    ? ok(access)
    : err({ status: 401, error: fail('unauthenticated', 'modelRelay.tokenRequired') });
}

function check(
  serving: Serving,
  incoming: IncomingMessage,
  route: ModelRoute | null,
): Result<Access, RelayRefusal> {
  const { headers, method } = incoming;
  const caller = checkCaller(serving, incoming);
  if (!caller.ok) return caller;
  const access = caller.value;
  if (!route || !access.session.formats.includes(route.format))
    return err({ status: 404, error: fail('not_found', 'proxy.unknownPath') });
  if (method !== 'POST') return err({ status: 405, error: fail('invalid_input', 'proxy.postOnly') });
  if (!isJsonType(headers['content-type']))
    return err({ status: 415, error: fail('invalid_input', 'proxy.requestNotJson') });
  if (access.running >= maxRunning)
    return err({ status: 429, error: fail('rate_limited', 'proxy.tooManyAnswers'), retryAfterS: 1 });
  return ok(access);
}

/** Programs send their key in the header of their format. */
function tokenOf(headers: IncomingMessage['headers']): string | null {
  for (const name of ['x-api-key', 'x-goog-api-key']) {
    const value = headers[name];
    if (typeof value === 'string') return value;
  }
  return /^Bearer (\S{1,500})$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
