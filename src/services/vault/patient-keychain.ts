/** A keychain that always answers: it reports a slow one, usually a prompt, and gives up on a silent one (F16). */
import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import type { Clock, KeychainPort, Timer } from '../../core/ports.ts';

export interface PatientKeychainDeps {
  readonly keychain: KeychainPort;
  readonly clock: Clock;
  /** Called if a request takes longer than 2 s. */
  onWaiting(backend: string): void;
}

const noticeMs = 2_000;
const timeoutMs = 60_000;

const silent = (backend: string): Result<never> =>
  err(
    fail('timeout', 'secrets.keychainTimeout', { name: backend }, { help: 'secrets.unlockKeychainWindow' }),
  );

export function patientKeychain({ keychain, clock, onWaiting }: PatientKeychainDeps): KeychainPort {
  const { backend } = keychain;
  /** Resolves with `timeout` if the keychain does not answer; its late answer is ignored. */
  const patiently = async <T>(asked: Promise<Result<T>>): Promise<Result<T>> => {
    const notice = clock.after(noticeMs, () => onWaiting(backend), { unref: true });
    let deadline: Timer | null = null;
    const silence = new Promise<Result<T>>((resolve) => {
      deadline = clock.after(timeoutMs, () => resolve(silent(backend)));
    });
    const answer = await Promise.race([asked, silence]);
    for (const timer of [notice, deadline as Timer | null]) timer?.cancel();
    return answer;
  };
  return {
    backend,
    get: (account) => patiently(keychain.get(account)),
    set: (account, value) => patiently(keychain.set(account, value)),
    delete: (account) => keychain.delete(account),
  };
}
