/**
 * The current link to a server, and the requests on it: their deadlines, authorization on demand, and another link
 * after the server has lost an HTTP session. A program that has ended is not started again.
 */
import {
  type Client,
  type RequestOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { McpCallOptions, McpCloseReason, McpHandlers, McpProgress } from '../../core/mcp/mcp-ports.ts';
import type { CallDeadlines } from './call-deadline.ts';
import {
  cancelled,
  causeOf,
  connectionClosed,
  isSessionLost,
  isUnauthorized,
  timedOut,
  toAppError,
  visibleReason,
} from './client-errors.ts';
import type { Link } from './link.ts';
import type { OAuthSession } from './oauth-session.ts';
import type { McpSubscriptions } from './subscriptions.ts';

export interface SessionDeps {
  readonly handlers: McpHandlers;
  readonly deadlines: CallDeadlines;
  readonly oauth: OAuthSession | null;
  readonly subscriptions: McpSubscriptions;
  /** Opens another link to the same server. */
  reopen(signal: AbortSignal): Promise<Result<Link>>;
}

export interface SessionRequest extends RequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

export type Operation<T> = (client: Client, request: SessionRequest) => Promise<T>;
type OnProgress = (progress: McpProgress) => void;

export interface McpSession {
  /** Repeats the operation after an authorization or a lost session. */
  run<T>(operation: Operation<T>, options?: McpCallOptions, onProgress?: OnProgress): Promise<Result<T>>;
  link(): Link;
  /** The server no longer knows the session. */
  lost(): void;
  /** The first reason counts. A repeated call waits for the first. */
  end(reason: McpCloseReason): Promise<void>;
}

const defaultTimeoutMs = 60_000;
/** The SDK's own timer, which cannot stand still, is put out of the way. */
const noTimeout = 2_147_483_647;
const maxAuthorizations = 2;

/** Reports the notices of a link's client. */
function forwardEvents({ client }: Link, onEvent: McpHandlers['onEvent']): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => onEvent({ kind: 'toolsChanged' }));
  client.setNotificationHandler('notifications/resources/list_changed', () =>
    onEvent({ kind: 'resourcesChanged' }),
  );
  client.setNotificationHandler('notifications/prompts/list_changed', () =>
    onEvent({ kind: 'promptsChanged' }),
  );
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    onEvent({ kind: 'resourceUpdated', uri: params.uri }),
  );
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : (JSON.stringify(params.data) ?? '');
    onEvent({ kind: 'log', level: params.level, text: visibleReason(text) });
  });
}

const progressOf = ({
  progress,
  total,
  message,
}: Parameters<NonNullable<RequestOptions['onprogress']>>[0]): McpProgress => ({
  progress,
  ...(total === undefined ? {} : { total }),
  ...(message === undefined ? {} : { message }),
});

interface Tried<T> {
  readonly value: Result<T>;
  readonly thrown?: unknown;
}

interface Trial extends McpCallOptions {
  readonly ending: AbortSignal;
  readonly onProgress: OnProgress | undefined;
}

async function tryOnce<T>(
  operation: Operation<T>,
  client: Client,
  deadlines: CallDeadlines,
  { signal, timeoutMs = defaultTimeoutMs, ending, onProgress }: Trial,
): Promise<Tried<T>> {
  const stop = new AbortController();
  let isLate = false;
  const deadline = deadlines.start(timeoutMs, () => {
    isLate = true;
    stop.abort();
  });
  const signals = [stop.signal, ending, ...(signal ? [signal] : [])];
  const request: SessionRequest = { signal: AbortSignal.any(signals), timeout: noTimeout };
  if (onProgress)
    request.onprogress = (progress) => {
      deadline.touch();
      onProgress(progressOf(progress));
    };
  try {
    return { value: ok(await operation(client, request)) };
  } catch (thrown) {
    let error: AppError = toAppError(thrown);
    if (signal?.aborted) error = cancelled();
    else if (isLate) error = timedOut();
    else if (ending.aborted) error = connectionClosed();
    return { value: err(error), thrown };
  } finally {
    deadline.end();
  }
}

export async function createMcpSession(first: Link, deps: SessionDeps): Promise<McpSession> {
  const { handlers, deadlines, oauth, subscriptions, reopen } = deps;
  const ending = new AbortController();
  let link = first;
  let closing: Promise<void> | null = null;
  let renewing: Promise<Result<void>> | null = null;

  const end = (reason: McpCloseReason): Promise<void> => {
    closing ??= (async () => {
      ending.abort();
      subscriptions.close();
      oauth?.close();
      const { transport } = link;
      // Many servers keep a session until its client ends it.
      if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
        await transport.terminateSession().catch(() => undefined);
      await link.close();
      handlers.onEvent({ kind: 'closed', reason });
    })();
    return closing;
  };
  const follow = (followed: Link): void => {
    forwardEvents(followed, handlers.onEvent);
    void followed.program?.exited.then(({ code, signal }) => end({ by: 'server', exitCode: code, signal }));
  };
  const renewLink = async (): Promise<Result<void>> => {
    const opened = await reopen(ending.signal);
    if (!opened.ok) return opened;
    const before = link;
    link = opened.value;
    follow(link);
    await before.close();
    await subscriptions.attach(link.client, true);
    return ok(undefined);
  };
  const renew = (): Promise<Result<void>> => {
    renewing ??= renewLink().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  /** `null` if a repetition cannot help. */
  const recovery = (thrown: unknown, used: Recoveries): Promise<Result<void>> | null => {
    const { transport } = link;
    const isHttp = transport instanceof StreamableHTTPClientTransport;
    if (isHttp && oauth?.isPending() && causeOf(thrown, isUnauthorized)) {
      used.authorizations += 1;
      return used.authorizations > maxAuthorizations ? null : deadlines.hold(() => oauth.finish(transport));
    }
    if (!isSessionLost(thrown)) return null;
    used.renewals += 1;
    return used.renewals > 1 ? null : renew();
  };

  follow(link);
  await subscriptions.attach(link.client, false);
  return {
    async run(operation, options = {}, onProgress) {
      const used: Recoveries = { authorizations: 0, renewals: 0 };
      for (;;) {
        if (closing !== null) return err(connectionClosed());
        if (options.signal?.aborted) return err(cancelled());
        const trial = { ...options, ending: ending.signal, onProgress };
        const { value, thrown } = await tryOnce(operation, link.client, deadlines, trial);
        if (value.ok || options.signal?.aborted || ending.signal.aborted) return value;
        const recovered = await recovery(thrown, used);
        if (recovered === null) return value;
        if (!recovered.ok) return recovered;
      }
    },
    link: () => link,
    lost() {
      if (closing === null) void renew();
    },
    end,
  };
}

interface Recoveries {
  authorizations: number;
  renewals: number;
}
