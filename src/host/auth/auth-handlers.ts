import { err, ok, type Result } from '../../contract/result.ts';
import type { AuthStatus } from '../../contract/work.ts';
import { loginFor, offersLogin } from '../../core/models/logins.ts';
import { isOver } from '../../core/models/oauth.ts';
import { providerIds, providerInfo, scriptedProvider, unknownProvider } from '../../core/models/providers.ts';
import type { Clock } from '../../core/ports.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { Handlers } from '../dispatch.ts';
import type { Secrets } from '../vault/secrets.ts';
import type { Auth } from './auth.ts';

type AuthMethods = Pick<Handlers, 'auth.status' | 'auth.login' | 'auth.wait' | 'auth.logout'>;

export interface AuthHandlerDeps {
  readonly auth: Auth;
  readonly secrets: Pick<Secrets, 'logins' | 'apiKeys' | 'openForReal'>;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly clock: Clock;
}

const waitMs = 25_000;

const loggedIn = ({ secrets }: AuthHandlerDeps, provider: string) => {
  const found = secrets.logins.get(provider);
  return found.ok ? found.value : null;
};

function statusOf(deps: AuthHandlerDeps, provider: string): AuthStatus {
  const { secrets, settings, clock } = deps;
  const name = providerInfo(provider)?.name ?? provider;
  const login = offersLogin(provider, settings.config().logins);
  const kinds: AuthStatus['kinds'] = login ? ['api_key', 'login'] : ['api_key'];
  const none = { provider, name, kinds, account: '', expiresAt: null };
  const record = loggedIn(deps, provider);
  if (record) {
    const { account, expiresAt, refresh, refused } = record;
    const over = refused || (refresh === null && isOver(record, clock.now()));
    return { ...none, account, expiresAt, state: over ? 'expired' : 'logged_in' };
  }
  if (secrets.logins.has(provider)) return { ...none, state: 'logged_in' };
  const key = secrets.apiKeys.source(provider);
  if (key === 'stored') return { ...none, state: 'api_key' };
  return { ...none, state: key === 'environment' ? 'environment' : 'none' };
}

const withKeys = providerIds.filter((id) => id !== scriptedProvider);

function known(provider: string): Result<void> {
  if (providerInfo(provider) && provider !== scriptedProvider) return ok(undefined);
  return err(unknownProvider(provider, 'provider', withKeys));
}

export function createAuthHandlers(deps: AuthHandlerDeps): AuthMethods {
  const { secrets, settings, auth } = deps;
  return {
    'auth.status': () => {
      return ok({ providers: withKeys.map((id) => statusOf(deps, id)) });
    },
    'auth.login': async ({ provider, device }) => {
      const fits = known(provider);
      if (!fits.ok) return fits;
      const info = loginFor(provider, settings.config().logins);
      if (!info.ok) return info;
      // Checked before the person starts to log in: the tokens need safe storage.
      const vault = await secrets.openForReal();
      return vault.ok ? auth.start(info.value, device) : vault;
    },
    'auth.wait': async ({ loginId }) => {
      const outcome = await auth.wait(loginId, waitMs);
      if (outcome === null) return ok({ done: false, status: null });
      return outcome.ok ? ok({ done: true, status: statusOf(deps, outcome.value.provider) }) : outcome;
    },
    'auth.logout': async ({ provider }) => {
      const fits = known(provider);
      if (!fits.ok) return fits;
      const cleared = await auth.clear(provider);
      if (!cleared.ok) return cleared;
      const removed = secrets.apiKeys.removeForProvider(provider);
      return removed.ok ? ok({ note: cleared.value }) : removed;
    },
  };
}
