/**
 * Logins that providers offer to programs like this one, as data. Only public offers are built in; if a
 * provider needs a registered client, the operator configures one in daemon.yml (`logins`). Kennel never uses
 * another program's client id.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { providerInfo } from './providers.ts';

/** Section of `logins` in daemon.yml; empty strings if not set. */
export interface LoginSettings {
  readonly client_id: string;
  readonly authorize_url: string;
  readonly token_url: string;
  readonly device_url: string;
  readonly revoke_url: string;
  readonly scopes: readonly string[];
}

export interface LoginInfo extends LoginSettings {
  readonly provider: string;
  /**
   * `oauth`: RFC 6749 with PKCE (RFC 7636) or a device code (RFC 8628). `key-exchange`: the code is exchanged
   * for a permanent API key, without a registered client.
   */
  readonly kind: 'oauth' | 'key-exchange';
}

/** OpenRouter offers this to any program without registration; localhost callbacks are allowed. */
const openRouter: LoginInfo = {
  provider: 'openrouter',
  kind: 'key-exchange',
  client_id: '',
  authorize_url: 'https://openrouter.ai/auth',
  token_url: 'https://openrouter.ai/api/v1/auth/keys',
  device_url: '',
  revoke_url: '',
  scopes: [],
};

const builtIn: Readonly<Record<string, LoginInfo>> = { openrouter: openRouter };

/** Configured logins take precedence over built-in ones. */
export function loginFor(
  provider: string,
  settings: Readonly<Record<string, LoginSettings>>,
): Result<LoginInfo> {
  const own = Object.hasOwn(settings, provider) ? settings[provider] : undefined;
  if (own) return checked({ ...own, provider, kind: 'oauth' });
  const known = Object.hasOwn(builtIn, provider) ? builtIn[provider] : undefined;
  if (known) return ok(known);
  const name = providerInfo(provider)?.name ?? provider;
  return err(fail('unsupported', 'logins.unsupportedLogin', { name }, { help: 'logins.useApiKeyOrClient' }));
}

export const offersLogin = (provider: string, settings: Readonly<Record<string, LoginSettings>>): boolean =>
  Object.hasOwn(settings, provider) || Object.hasOwn(builtIn, provider);

function checked(info: LoginInfo): Result<LoginInfo> {
  const where = `logins.${info.provider}`;
  if (info.client_id === '') return err(fail('invalid_input', 'logins.loginNeedsClientId', {}, { where }));
  if (info.token_url === '') return err(fail('invalid_input', 'logins.loginNeedsTokenUrl', {}, { where }));
  if (info.authorize_url === '' && info.device_url === '') {
    return err(fail('invalid_input', 'logins.loginNeedsAuthorizeUrl', {}, { where }));
  }
  for (const key of ['authorize_url', 'token_url', 'device_url', 'revoke_url'] as const) {
    if (info[key] !== '' && !isSafeAddress(info[key])) {
      return err(fail('invalid_input', 'logins.httpsRequired', { key }, { where }));
    }
  }
  return ok(info);
}

/** https, or plain http to this computer. */
export function isSafeAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || `${url.username}${url.password}` !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
}
