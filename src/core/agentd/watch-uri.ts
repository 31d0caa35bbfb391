/**
 * Watches one address until its signal aborts: calls a tool again and again, or subscribes to a resource and
 * reads it after each notification. A failure is reported once and tried again with back-off; after a new
 * connection the content is read anew, so a change in between is not lost.
 */
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { backoffMs } from '../lib/backoff.ts';
import { sleep } from '../lib/sleep.ts';
import type { McpConnection, McpEvent, McpToolDefinition } from '../mcp/mcp-ports.ts';
import { type Observed, observedResource, observedResult } from '../mcp/observed-content.ts';
import type { Clock, Random } from '../ports.ts';
import { readWatchedUri, toolArguments } from './watched-uri.ts';

/** A server whose content is watched. Each failed method is called again later. */
export interface WatchedServer {
  readonly server: { readonly name: string };
  connection(): Promise<Result<McpConnection>>;
  tools(): Promise<Result<readonly McpToolDefinition[]>>;
  /** Returns the end of the subscription. */
  listen(listener: (event: McpEvent) => void): () => void;
}

export interface WatchDeps {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly sha256: (bytes: Uint8Array) => string;
  readonly links: readonly WatchedServer[];
  /** Interval of addresses that name none. */
  readonly pollMs: number;
}

export interface WatchListener {
  observed(uri: string, content: Observed): void;
  /** `null` once it works again. */
  failed(uri: string, error: AppError | null): void;
}

const retry = { firstMs: 1_000, maxMs: 120_000 };
/** Part of an interval by which polls are spread. */
const jitter = 0.2;

interface Watching extends WatchDeps {
  readonly uri: string;
  readonly listener: WatchListener;
  readonly signal: AbortSignal;
}

type ToolUri = Extract<NonNullable<ReturnType<typeof readWatchedUri>>, { kind: 'tool' }>;

/** `SERVER.TOOL` names a tool of one server; otherwise the first server that has the tool. */
async function callWatched({ links, signal, sha256 }: Watching, watched: ToolUri): Promise<Result<Observed>> {
  let failure: AppError | null = null;
  for (const link of links) {
    const tools = await link.tools();
    if (!tools.ok) {
      failure ??= tools.error;
      continue;
    }
    const prefix = `${link.server.name}.`;
    const found = tools.value.find(
      ({ name }) => name === watched.tool || `${prefix}${name}` === watched.tool,
    );
    const connection = found ? await link.connection() : null;
    if (!found || !connection) continue;
    if (!connection.ok) return connection;
    const args = toolArguments(watched.query, found.inputSchema);
    const result = await connection.value.callTool(found.name, args, { signal });
    if (!result.ok) return result;
    const seen = observedResult(result.value, sha256);
    if (result.value.isError) return err(fail('unavailable', 'agentd.toolFailed', { why: seen.text }));
    return ok(seen);
  }
  return err(failure ?? fail('not_found', 'agentd.noSuchTool', { tool: watched.tool }));
}

const spread = (ms: number, fraction: number): number => Math.round(ms * (1 + jitter * (fraction - 0.5)));

/** Reports failures once, and counts them for the back-off. */
class Failures {
  readonly #watching: Watching;
  #count = 0;

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  over(): void {
    if (this.#count > 0) this.#watching.listener.failed(this.#watching.uri, null);
    this.#count = 0;
  }

  async next(error: AppError, leastMs = 0): Promise<void> {
    const { clock, random, signal, listener, uri } = this.#watching;
    if (signal.aborted) return;
    if (this.#count === 0) listener.failed(uri, error);
    const delay = Math.max(leastMs, backoffMs(retry, this.#count, random.fraction()));
    this.#count += 1;
    await sleep(clock, delay, signal);
  }
}

async function watchTool(watching: Watching, watched: ToolUri): Promise<void> {
  const { clock, random, signal, listener, uri } = watching;
  const interval = watched.pollMs ?? watching.pollMs;
  const failures = new Failures(watching);
  while (!signal.aborted) {
    const seen = await callWatched(watching, watched);
    if (signal.aborted) return;
    if (!seen.ok) {
      await failures.next(seen.error, interval);
      continue;
    }
    failures.over();
    listener.observed(uri, seen.value);
    await sleep(clock, spread(interval, random.fraction()), signal);
  }
}

/** The first server that can read the resource. */
async function findReader({ links, uri, signal }: Watching): Promise<Result<WatchedServer>> {
  let failure: AppError | null = null;
  for (const link of links) {
    const connection = await link.connection();
    if (!connection.ok) failure ??= connection.error;
    if (!connection.ok || !connection.value.capabilities.resources) continue;
    const read = await connection.value.readResource(uri, { signal });
    if (read.ok) return ok(link);
    failure ??= read.error;
  }
  return err(failure ?? fail('not_found', 'agentd.noSuchResource', { uri }));
}

/** Resolves to true when woken, and to false after `ms` or on abort. */
class Wake {
  #isSet = false;
  #wake: (() => void) | null = null;

  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  async wait(clock: Clock, ms: number | null, signal: AbortSignal): Promise<void> {
    if (!this.#isSet) {
      const ended = new AbortController();
      const stop = (): void => ended.abort();
      this.#wake = stop;
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      // Without an interval only a notification or the end of the connection ends the wait.
      await sleep(clock, ms ?? 2 ** 31, ended.signal);
      signal.removeEventListener('abort', stop);
      this.#wake = null;
    }
    this.#isSet = false;
  }
}

/** Until the connection is lost or a read fails. */
async function follow(
  watching: Watching,
  connection: McpConnection,
  wake: Wake,
  failures: Failures,
): Promise<Result<void>> {
  const { clock, random, signal, listener, uri, sha256, pollMs } = watching;
  let interval: number | null = pollMs;
  if (connection.capabilities.subscribe) {
    const subscribed = await connection.subscribe(uri, { signal });
    if (!subscribed.ok) return subscribed;
    interval = null;
  }
  while (!signal.aborted) {
    const read = await connection.readResource(uri, { signal });
    if (!read.ok) return read;
    if (signal.aborted) break;
    failures.over();
    listener.observed(uri, observedResource(read.value, sha256));
    await wake.wait(clock, interval === null ? null : spread(interval, random.fraction()), signal);
  }
  return ok(undefined);
}

async function watchResource(watching: Watching): Promise<void> {
  const { uri, signal } = watching;
  const failures = new Failures(watching);
  while (!signal.aborted) {
    const link = await findReader(watching);
    const connection = link.ok ? await link.value.connection() : link;
    if (!link.ok || !connection.ok) {
      await failures.next(link.ok ? fail('unavailable', 'agentd.ended') : link.error);
      continue;
    }
    const wake = new Wake();
    const unlisten = link.value.listen((event) => {
      if (event.kind === 'closed' || (event.kind === 'resourceUpdated' && event.uri === uri)) wake.set();
    });
    const followed = await follow(watching, connection.value, wake, failures);
    unlisten();
    if (!followed.ok) await failures.next(followed.error);
    else if (signal.aborted && connection.value.capabilities.subscribe)
      await connection.value.unsubscribe(uri);
  }
}

/** Resolves after the signal has aborted. `uri` is one that `readWatchedUri` accepts. */
export async function watchUri(
  uri: string,
  deps: WatchDeps,
  listener: WatchListener,
  signal: AbortSignal,
): Promise<void> {
  const watched = readWatchedUri(uri);
  const watching = { ...deps, uri, listener, signal };
  if (watched?.kind === 'tool') await watchTool(watching, watched);
  else await watchResource(watching);
}
