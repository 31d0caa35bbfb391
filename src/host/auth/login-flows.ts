/**
 * Logins in progress. Each has one outcome, is replaced by the next login at the same provider, and leaves no
 * port open. The tokens are stored before success is reported.
 */
import { randomUUID } from 'node:crypto';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { LoginInfo } from '../../core/models/logins.ts';
import { authorizeUrl, type LoginRecord } from '../../core/models/oauth.ts';
import { openCallbackServer } from '../../services/logins/callback-server.ts';
import {
  exchangeCode,
  newPkce,
  type OAuthDeps,
  pollDevice,
  startDevice,
} from '../../services/logins/oauth-requests.ts';
import type { TokenKeeper } from './token-keeper.ts';

export interface LoginStarted {
  readonly loginId: string;
  readonly url: string;
  /** Empty if the browser returns the answer itself. */
  readonly userCode: string;
  readonly expiresAt: number;
}

export interface LoginFlows {
  start(info: LoginInfo, device: boolean): Promise<Result<LoginStarted>>;
  /** `null` without an outcome within `ms`; `not_found` for an unknown login. */
  wait(loginId: string, ms: number): Promise<Result<{ readonly provider: string }> | null>;
  stop(): void;
}

interface Begun {
  readonly url: string;
  readonly userCode: string;
  readonly expiresAt: number;
  readonly outcome: Promise<Result<LoginRecord>>;
  stop(): void;
}

interface Pending {
  readonly provider: string;
  readonly outcome: Promise<Result<{ readonly provider: string }>>;
  stop(): void;
}

const callbackLifeMs = 10 * 60_000;
const maxKept = 20;

export function createLoginFlows(deps: OAuthDeps & { readonly keeper: TokenKeeper }): LoginFlows {
  const { clock, keeper } = deps;
  const pending = new Map<string, Pending>();

  const replace = (provider: string): void => {
    for (const login of pending.values()) if (login.provider === provider) login.stop();
    for (const oldest of pending.keys()) if (pending.size >= maxKept) pending.delete(oldest);
  };

  return {
    async start(info, device) {
      const { provider } = info;
      replace(provider);
      const byDevice = info.device_url !== '' && (device || info.authorize_url === '');
      if (device && !byDevice) return err(noDevice(provider));
      const begun = await (byDevice ? beginDevice(deps, info) : beginBrowser(deps, info));
      if (!begun.ok) return begun;
      const { url, userCode, expiresAt, stop } = begun.value;
      const outcome = begun.value.outcome.then(async (record) => {
        if (!record.ok) return record;
        const kept = await keeper.keep(provider, record.value);
        return kept.ok ? ok({ provider }) : kept;
      });
      const loginId = randomUUID();
      pending.set(loginId, { provider, outcome, stop });
      return ok({ loginId, url, userCode, expiresAt });
    },
    async wait(loginId, ms) {
      const login = pending.get(loginId);
      if (!login) return err(fail('not_found', 'logins.unknownLogin'));
      let tick = (): void => undefined;
      const late = new Promise<null>((resolve) => {
        tick = () => resolve(null);
      });
      const timer = clock.after(ms, () => tick(), { unref: true });
      const outcome = await Promise.race([login.outcome, late]);
      timer.cancel();
      return outcome;
    },
    stop() {
      for (const login of pending.values()) login.stop();
    },
  };
}

async function beginBrowser(deps: OAuthDeps, info: LoginInfo): Promise<Result<Begun>> {
  const { clock } = deps;
  const { verifier, challenge, state } = newPkce();
  const server = await openCallbackServer({ clock, state, lifeMs: callbackLifeMs });
  if (!server.ok) return server;
  const { redirectUri, answer, close } = server.value;
  const controller = new AbortController();
  const outcome = answer.then((found) =>
    found.ok
      ? exchangeCode(deps, info, { code: found.value.code, verifier, redirectUri }, controller.signal)
      : found,
  );
  return ok({
    url: authorizeUrl(info, { redirectUri, state, challenge }),
    userCode: '',
    expiresAt: clock.now() + callbackLifeMs,
    outcome,
    stop() {
      controller.abort();
      close();
    },
  });
}

async function beginDevice(deps: OAuthDeps, info: LoginInfo): Promise<Result<Begun>> {
  const controller = new AbortController();
  const started = await startDevice(deps, info, controller.signal);
  if (!started.ok) return started;
  const { url, userCode, expiresAt } = started.value;
  const outcome = pollDevice(deps, info, started.value, controller.signal);
  return ok({ url, userCode, expiresAt, outcome, stop: () => controller.abort() });
}

const noDevice = (provider: string) =>
  fail('unsupported', 'logins.unsupportedCodeLogin', { provider }, { help: 'logins.logInWithBrowser' });
