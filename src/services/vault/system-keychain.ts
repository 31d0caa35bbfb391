/**
 * The operating system's keychain behind the `KeychainPort`. The library loads with the first call. On Linux
 * the Secret Service is required: the library's own fallback, the kernel keyring, loses everything at the
 * next boot.
 */
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { KeychainPort } from '../../core/ports.ts';

const service = 'Kennel';
const backends: Partial<Record<NodeJS.Platform, string>> = { darwin: 'macos', win32: 'windows' };

async function entryOf(account: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return new AsyncEntry(service, account, { linux: { store: 'secret-service' } });
}

/** The library's error message names the platform's fault and never the secret. */
async function attempt<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    const reason = errorText(error);
    return err(
      fail('unavailable', 'secrets.keychainUnavailable', { reason }, { help: 'secrets.unlockAndRetry' }),
    );
  }
}

export function createSystemKeychain(): KeychainPort {
  return {
    backend: backends[process.platform] ?? 'secret-service',
    get: (account) =>
      attempt(async () => {
        const secret = await (await entryOf(account)).getSecret();
        return secret ? Uint8Array.from(secret) : null;
      }),
    set: (account, value) => attempt(async () => (await entryOf(account)).setSecret(value)),
    delete: (account) =>
      attempt(async () => {
        await (await entryOf(account)).deleteCredential();
      }),
  };
}
