import type { Result } from '../../contract/result.ts';
import type { LoginInfo } from '../../core/models/logins.ts';
import { loginFor } from '../../core/models/logins.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { LoginStarted } from './login-flows.ts';
import type { LoginStore } from './login-store.ts';

/** Logins at model providers, loaded on first use. */
export interface Auth {
  /** A valid token, renewed if it expired or equals `refused`. */
  token(provider: string, refused?: string): Promise<Result<string>>;
  start(info: LoginInfo, device: boolean): Promise<Result<LoginStarted>>;
  /** `null` without an outcome within `ms`. */
  wait(loginId: string, ms: number): Promise<Result<{ readonly provider: string }> | null>;
  /** A note for the person, or an empty text. */
  clear(provider: string): Promise<Result<string>>;
  stop(): Promise<void>;
}

export interface AuthDeps {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly log: Log;
  readonly logins: LoginStore;
  readonly settings: Pick<DaemonSettings, 'config'>;
}

export function createAuth({ clock, fetch, log, logins, settings }: AuthDeps): Auth {
  const load = async () => {
    const { createTokenKeeper } = await import('./token-keeper.ts');
    const { createLoginFlows } = await import('./login-flows.ts');
    const loginInfo = (provider: string) => loginFor(provider, settings.config().logins);
    const keeper = createTokenKeeper({ clock, fetch, log, store: logins, loginInfo });
    return { keeper, flows: createLoginFlows({ clock, fetch, keeper }) };
  };
  let loading: ReturnType<typeof load> | null = null;
  const parts = (): ReturnType<typeof load> => {
    loading ??= load();
    return loading;
  };
  return {
    token: async (provider, refused) => (await parts()).keeper.token(provider, refused),
    start: async (info, device) => (await parts()).flows.start(info, device),
    wait: async (loginId, ms) => (await parts()).flows.wait(loginId, ms),
    clear: async (provider) => (await parts()).keeper.clear(provider),
    async stop() {
      if (loading) (await loading).flows.stop();
    },
  };
}
