import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AuthStatus } from '../../contract/work.ts';
import { loginFor, offersLogin } from '../../core/models/logins.ts';
import { isOver } from '../../core/models/oauth.ts';
import { providerIds, providerInfo, scriptedProvider } from '../../core/models/providers.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';

type AuthMethods = Pick<Handlers, 'auth.status' | 'auth.login' | 'auth.wait' | 'auth.logout'>;
type Parts = Pick<HostContext, 'secrets' | 'settings' | 'ports' | 'auth'>;

const waitMs = 25_000;

const loggedIn = ({ secrets }: Parts, provider: string) => {
  const found = secrets.logins.get(provider);
  return found.ok ? found.value : null;
};

function statusOf(parts: Parts, provider: string): AuthStatus {
  const { secrets, settings, ports } = parts;
  const name = providerInfo(provider)?.name ?? provider;
  const login = offersLogin(provider, settings.config().logins);
  const kinds: AuthStatus['kinds'] = login ? ['api_key', 'login'] : ['api_key'];
  const none = { provider, name, kinds, account: '', expiresAt: null };
  const record = loggedIn(parts, provider);
  if (record) {
    const { account, expiresAt, refresh, refused } = record;
    const over = refused || (refresh === null && isOver(record, ports.clock.now()));
    return { ...none, account, expiresAt, state: over ? 'expired' : 'logged_in' };
  }
  if (secrets.logins.has(provider)) return { ...none, state: 'logged_in' };
  const key = secrets.apiKeys.source(provider);
  if (key === 'stored') return { ...none, state: 'api_key' };
  return { ...none, state: key === 'environment' ? 'environment' : 'none' };
}

function known(provider: string): Result<void> {
  if (providerInfo(provider) && provider !== scriptedProvider) return ok(undefined);
  const ids = providerIds.filter((id) => id !== scriptedProvider).join(', ');
  return err(
    appError('invalid_input', `Kennel does not know a model provider called "${provider}".`, {
      hint: `Use one of: ${ids}.`,
      where: 'provider',
    }),
  );
}

export function createAuthHandlers(parts: Parts): AuthMethods {
  const { secrets, settings, auth } = parts;
  return {
    'auth.status': () => {
      const ids = providerIds.filter((id) => id !== scriptedProvider);
      return ok({ providers: ids.map((id) => statusOf(parts, id)) });
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
      return outcome.ok ? ok({ done: true, status: statusOf(parts, outcome.value.provider) }) : outcome;
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
