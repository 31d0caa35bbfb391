/**
 * The only writer of logins. Of concurrent requests with an expired token only one renews it, so no rotated
 * refresh token is used twice. A renewed token is stored before use, and a login cleared meanwhile stays
 * cleared.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { LoginInfo } from '../../core/models/logins.ts';
import { isOver, isStale, type LoginRecord } from '../../core/models/oauth.ts';
import type { Log } from '../../core/ports.ts';
import { type OAuthDeps, refreshLogin, revokeLogin } from '../../services/logins/oauth-requests.ts';
import type { LoginStore } from './login-store.ts';

export interface TokenKeeperDeps extends OAuthDeps {
  readonly store: LoginStore;
  readonly loginInfo: (provider: string) => Result<LoginInfo>;
  readonly log: Log;
}

export interface TokenKeeper {
  /**
   * A valid token, renewed if needed; `unauthenticated` if only a new login helps. `refused` is a token that
   * the provider rejected before its expiry.
   */
  token(provider: string, refused?: string): Promise<Result<string>>;
  keep(provider: string, record: LoginRecord): Promise<Result<void>>;
  /**
   * Clears the login here even if the provider's call fails. Returns a note for the person, or an empty text.
   */
  clear(provider: string): Promise<Result<string>>;
}

export function createTokenKeeper(deps: TokenKeeperDeps): TokenKeeper {
  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <T>(provider: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(provider) ?? Promise.resolve()).then(work, work);
    turns.set(
      provider,
      turn.catch(() => undefined),
    );
    return turn;
  };
  return {
    async token(provider, refused) {
      const found = deps.store.get(provider);
      if (found.ok && found.value && isGood(deps, found.value, refused)) return ok(found.value.access);
      return inTurn(provider, () => freshToken(deps, provider, refused));
    },
    keep: (provider, record) => inTurn(provider, async () => deps.store.set(provider, record)),
    clear: (provider) => inTurn(provider, () => clearLogin(deps, provider)),
  };
}

const isGood = ({ clock }: TokenKeeperDeps, record: LoginRecord, refused: string | undefined): boolean =>
  record.access !== refused && !isStale(record, clock.now());

async function freshToken(
  deps: TokenKeeperDeps,
  provider: string,
  refused: string | undefined,
): Promise<Result<string>> {
  const { store, clock, log } = deps;
  // An earlier request in the queue may have renewed it.
  const found = store.get(provider);
  if (!found.ok) return found;
  const record = found.value;
  if (!record) return err(notLoggedIn(provider));
  if (isGood(deps, record, refused)) return ok(record.access);
  const renewed = await renew(deps, provider, record);
  if (renewed.ok) {
    const kept = store.set(provider, renewed.value);
    return kept.ok ? ok(renewed.value.access) : kept;
  }
  log.warn('login_not_renewed', { provider, code: renewed.error.code });
  if (renewed.error.code === 'unauthenticated') store.set(provider, { ...record, refused: true });
  // Within the renewal margin the current token is still valid.
  return record.access === refused || isOver(record, clock.now()) ? renewed : ok(record.access);
}

async function renew(
  deps: TokenKeeperDeps,
  provider: string,
  record: LoginRecord,
): Promise<Result<LoginRecord>> {
  if (record.refresh === null || record.refused) return err(over(provider));
  const info = deps.loginInfo(provider);
  return info.ok ? refreshLogin(deps, info.value, record) : info;
}

async function clearLogin(deps: TokenKeeperDeps, provider: string): Promise<Result<string>> {
  const { store, log } = deps;
  const found = store.get(provider);
  const removed = store.remove(provider);
  if (!removed.ok) return removed;
  const record = found.ok ? found.value : null;
  const info = deps.loginInfo(provider);
  if (!record || !info.ok) return ok('');
  if (info.value.revoke_url === '') {
    return ok(record.kind === 'key-exchange' ? keyLives : tokenLives);
  }
  const revoked = await revokeLogin(deps, info.value, record.refresh ?? record.access);
  if (revoked.ok) return ok('');
  log.warn('login_not_revoked', { provider, code: revoked.error.code });
  return ok(notTold);
}

const keyLives = 'The key that the login made still exists at the provider; delete it there as well.';
const tokenLives = 'The provider offers no way to end the login there; it ends by itself.';
const notTold = 'The provider could not be told. End the login there as well, on its own page.';

const notLoggedIn = (provider: string) =>
  fail('unauthenticated', 'logins.notLoggedIn', { provider }, { help: 'logins.runAuthLogin' });
const over = (provider: string) =>
  fail('unauthenticated', 'logins.loginExpired', { provider }, { help: 'logins.renewProviderLogin' });
