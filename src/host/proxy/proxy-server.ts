/**
 * The stream proxy's listener: loopback only, off by default, with limits on concurrent requests per token
 * and in total.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { inputText } from '../../contract/issue-text.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { proxyRefusal, proxyRequestSchema } from '../../core/models/proxy-wire.ts';
import type { Log } from '../../core/ports.ts';
import { loopbackHosts, loopbackNames } from '../../platform/http-guards.ts';
import { listenOn } from '../../platform/listen-on.ts';
import { closeHttpServer, createLoopbackServer } from '../../platform/loopback-server.ts';
import { checkHead, findProxyRefusal, type ProxyRefusal, readProxyConversation } from './proxy-guard.ts';
import { answerWith, type ProxyStreamDeps, prepareModel } from './proxy-stream.ts';
import type { ProxyTokens } from './proxy-tokens.ts';

export interface ProxyServerOptions extends ProxyStreamDeps {
  readonly host: string;
  readonly port: number;
  readonly tokens: Pick<ProxyTokens, 'whose'>;
  readonly log: Log;
}

export interface ProxyServer {
  readonly url: string;
  close(): Promise<void>;
}

const maxOfToken = 8;
const maxStreams = 32;
const loopback = [...loopbackNames, '::1'];

export async function openProxyServer(options: ProxyServerOptions): Promise<Result<ProxyServer>> {
  if (!loopback.includes(options.host)) return err(notLoopback(options.host));
  const underWay = new Map<string, number>();
  let hosts: ReadonlySet<string> = new Set();
  const server = createLoopbackServer({ maxConnections: 4 * maxStreams }, (req, res) => {
    serve(options, { hosts, underWay }, req, res).catch((error: unknown) => {
      options.log.error('proxy_failed', { error });
      res.destroy();
    });
  });
  const listening = await listenOn(server, { host: options.host, port: options.port });
  if (!listening.ok) return err(busy(options.port, listening.error.message));
  const { port } = listening;
  hosts = loopbackHosts(port);
  const shown = options.host === '::1' ? '[::1]' : options.host;
  return ok({
    url: `http://${shown}:${port}`,
    close: () => closeHttpServer(server),
  });
}

interface Door {
  readonly hosts: ReadonlySet<string>;
  readonly underWay: Map<string, number>;
}

async function serve(
  options: ProxyServerOptions,
  { hosts, underWay }: Door,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const head = checkHead(req, hosts, options.tokens.whose);
  if (!head.ok) return refuse(res, head.error);
  const name = head.value;
  const own = underWay.get(name) ?? 0;
  const all = [...underWay.values()].reduce((sum, count) => sum + count, 0);
  if (own >= maxOfToken || all >= maxStreams) return refuse(res, tooMany);
  underWay.set(name, own + 1);
  try {
    await converse(options, name, req, res);
  } finally {
    underWay.set(name, (underWay.get(name) ?? 1) - 1);
  }
}

async function converse(
  options: ProxyServerOptions,
  name: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const body = await readProxyConversation(req, options.clock);
  if (!body.ok) return refuse(res, body.error);
  const request = proxyRequestSchema.safeParse(body.value);
  if (!request.success) {
    const text = inputText(request.error.issues);
    return refuse(res, findProxyRefusal(appError('invalid_input', text)));
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const ready = await prepareModel(options, name, request.data, gone.signal);
  if (!ready.ok) return refuse(res, ready.error);
  await answerWith(options, name, request.data, ready.value, res);
}

const tooMany: ProxyRefusal = {
  status: 429,
  error: fail('rate_limited', 'proxy.tooManyAnswers'),
  headers: { 'retry-after': '1' },
};

/** Closes the connection without reading the rest of the request. */
function refuse(res: ServerResponse, { status, error, headers }: ProxyRefusal): void {
  res.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  res.end(proxyRefusal(error));
}

const notLoopback = (host: string) =>
  fail(
    'invalid_input',
    'proxy.proxyLocalOnly',
    { host },
    { help: 'proxy.keepBindHost', where: 'stream_proxy.bind_host' },
  );
const busy = (port: number, why: string) =>
  fail('io_error', 'proxy.proxyListenFailed', { port, why }, { help: 'proxy.chooseAnotherPort' });
