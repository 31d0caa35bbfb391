/**
 * The loopback address to which a provider redirects the browser (RFC 8252 §7.3): on 127.0.0.1 only, a random
 * port, good for one response with the right state, closed after its deadline.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { chooseLanguage } from '../../language/choose-language.ts';
import { renderText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { listenOn } from '../../platform/listen-on.ts';
import { createLoopbackServer } from '../../platform/loopback-server.ts';
import { isSameSecret } from '../../platform/same-secret.ts';

export interface CallbackServer {
  readonly redirectUri: string;
  /** Resolves once; `timeout` after the deadline; `cancelled` after `close`. */
  readonly answer: Promise<Result<CallbackAnswer>>;
  close(): void;
}

export interface CallbackAnswer {
  readonly code: string;
  /** The issuer (RFC 9207), or `null` if the redirect names none. */
  readonly iss: string | null;
}

interface CallbackOptions {
  readonly clock: Clock;
  /** Must be returned unchanged. */
  readonly state: string;
  readonly lifeMs: number;
}

const path = '/callback';

const pages = {
  done: [200, 'logins.pageDone'],
  declined: [200, 'logins.pageDeclined'],
  wrong: [400, 'logins.pageOfOtherLogin'],
  used: [410, 'logins.pageOver'],
  none: [404, 'logins.unknownPage'],
} as const;

/** In the language that the browser prefers. */
async function show(req: IncomingMessage, res: ServerResponse, page: keyof typeof pages): Promise<void> {
  const [status, key] = pages[page];
  const wanted = (req.headers['accept-language'] ?? '').split(',').map((tag) => tag.trim());
  const language = chooseLanguage(wanted);
  const catalog = language === 'de' ? (await import('../../language/german/host.ts')).hostGerman : null;
  const text = renderText(say(key), catalog, language);
  res.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    connection: 'close',
  });
  res.end(`${text}\n`);
}

type Verdict = { readonly page: keyof typeof pages; readonly outcome?: Result<CallbackAnswer> };

function judge(req: IncomingMessage, host: string, state: string): Verdict {
  const url = URL.parse(req.url ?? '/', `http://${host}`);
  if (req.headers.host !== host || req.method !== 'GET' || url?.pathname !== path) return { page: 'none' };
  const states = url.searchParams.getAll('state');
  if (states.length !== 1 || !isSameSecret(states[0] ?? '', state)) return { page: 'wrong' };
  const code = url.searchParams.get('code');
  if (url.searchParams.has('error')) return { page: 'declined', outcome: err(declined()) };
  if (!code || code.length > 4_096) return { page: 'wrong' };
  return { page: 'done', outcome: ok({ code, iss: url.searchParams.get('iss') }) };
}

export async function openCallbackServer({
  clock,
  state,
  lifeMs,
}: CallbackOptions): Promise<Result<CallbackServer>> {
  let settle: (outcome: Result<CallbackAnswer>) => void = () => undefined;
  const answer = new Promise<Result<CallbackAnswer>>((resolve) => {
    settle = resolve;
  });
  let over = false;
  let host = '';
  const server = createLoopbackServer({ requestMs: 10_000 }, (req, res) => {
    const { page, outcome } = over ? { page: 'used' as const } : judge(req, host, state);
    void show(req, res, page);
    if (outcome) end(outcome);
  });
  const end = (outcome: Result<CallbackAnswer>): void => {
    if (over) return;
    over = true;
    timer.cancel();
    server.close();
    settle(outcome);
  };
  const timer = clock.after(lifeMs, () => end(err(late())), { unref: true });
  const listening = await listenOn(server, { host: '127.0.0.1', port: 0 });
  if (!listening.ok) {
    timer.cancel();
    const { message } = listening.error;
    return err(fail('io_error', 'logins.listenFailed', { message }));
  }
  host = `127.0.0.1:${listening.port}`;
  const close = (): void => {
    end(err(fail('cancelled', 'logins.loginStopped')));
    server.closeAllConnections();
  };
  return ok({ redirectUri: `http://${host}${path}`, answer, close });
}

const declined = (): AppError =>
  fail('unauthenticated', 'logins.loginDeclined', {}, { help: 'logins.startAgainIfMistake' });
const late = (): AppError => fail('timeout', 'logins.loginTimedOut', {}, { help: 'logins.startAgain' });
