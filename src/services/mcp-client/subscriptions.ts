/**
 * Notices of changes. Servers of the old era send them by themselves and per subscription; later ones over one
 * `listen` stream, which is opened again, with back-off, when it breaks. After a gap everything counts as changed.
 */
import type { Client, McpSubscription, SubscriptionFilter } from '@modelcontextprotocol/client';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Backoff } from '../../core/lib/backoff.ts';
import type { McpEvent } from '../../core/mcp/mcp-ports.ts';
import { toAppError } from './client-errors.ts';

export interface SubscriptionRequest {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

export interface McpSubscriptions {
  /** Uses this client from now on. With `isAgain` renews all subscriptions and reports everything as changed. */
  attach(client: Client, isAgain: boolean): Promise<void>;
  /** Throws the errors of the SDK. */
  subscribe(client: Client, uri: string, request: SubscriptionRequest): Promise<Result<void>>;
  unsubscribe(client: Client, uri: string, request: SubscriptionRequest): Promise<void>;
  close(): void;
}

/** ms until the server has to acknowledge a stream. */
const acknowledgeMs = 10_000;

export function createMcpSubscriptions(
  backoff: Backoff,
  onEvent: (event: McpEvent) => void,
): McpSubscriptions {
  const uris = new Set<string>();
  const ending = new AbortController();
  let stream: McpSubscription | null = null;
  let changing: Promise<unknown> = Promise.resolve();

  const isModern = (client: Client): boolean => client.getProtocolEra() === 'modern';
  const filterFor = (client: Client): SubscriptionFilter => {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    return {
      ...(tools?.listChanged ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
      ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
    };
  };
  const reportGap = (client: Client): void => {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    // Also of a server that announces no changes: it may have been started anew with other tools (T10).
    if (tools) onEvent({ kind: 'toolsChanged' });
    if (prompts?.listChanged) onEvent({ kind: 'promptsChanged' });
    if (resources?.listChanged) onEvent({ kind: 'resourcesChanged' });
    for (const uri of uris) onEvent({ kind: 'resourceUpdated', uri });
  };
  /** Opens the new stream before it closes the old one, so that no notice is lost between them. */
  const listen = async (client: Client, request?: SubscriptionRequest): Promise<McpSubscription | null> => {
    const before = stream;
    const filter = filterFor(client);
    stream =
      Object.keys(filter).length === 0
        ? null
        : await client.listen(filter, request ?? { timeout: acknowledgeMs });
    if (stream) void watch(client, stream);
    await before?.close().catch(() => undefined);
    return stream;
  };
  const watch = async (client: Client, watched: McpSubscription): Promise<void> => {
    const how = await watched.closed;
    if (how === 'local' || stream !== watched) return;
    stream = null;
    for (let attempt = 0; !ending.signal.aborted; attempt += 1) {
      await backoff.wait(attempt, ending.signal);
      // A subscription, or a new client, has opened another one.
      if (ending.signal.aborted || stream !== null || client.transport === undefined) return;
      try {
        await oneAtATime(() => listen(client));
        reportGap(client);
        return;
      } catch {
        // The server is still away.
      }
    }
  };
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const done = changing.then(work, work);
    changing = done.catch(() => undefined);
    return done;
  };

  return {
    async attach(client, isAgain) {
      stream = null;
      if (isModern(client)) await oneAtATime(() => listen(client)).catch(() => undefined);
      else for (const uri of uris) await client.subscribeResource({ uri }).catch(() => undefined);
      if (isAgain) reportGap(client);
    },
    async subscribe(client, uri, request) {
      if (!isModern(client)) {
        await client.subscribeResource({ uri }, request);
        uris.add(uri);
        return ok(undefined);
      }
      return oneAtATime(async () => {
        const isNew = !uris.has(uri);
        uris.add(uri);
        try {
          const opened = await listen(client, request);
          if (opened?.honoredFilter.resourceSubscriptions?.includes(uri)) return ok(undefined);
          uris.delete(uri);
          return err(fail('unsupported', 'mcpClient.notSubscribable'));
        } catch (error) {
          if (isNew) uris.delete(uri);
          return err(toAppError(error));
        }
      });
    },
    async unsubscribe(client, uri, request) {
      if (!uris.delete(uri)) return;
      if (isModern(client)) await oneAtATime(() => listen(client, request));
      else await client.unsubscribeResource({ uri }, request);
    },
    close: () => ending.abort(),
  };
}
