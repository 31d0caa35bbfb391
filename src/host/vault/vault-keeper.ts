import { fail } from '../../contract/fail.ts';
import type { HostView } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine, DiskPort, KeychainPort, SecretBox } from '../../core/ports.ts';
import { createApiKeys } from '../../services/vault/api-keys.ts';
import {
  createMasterFiles,
  keychainAccount,
  type MasterFiles,
  vaultState,
} from '../../services/vault/master-file.ts';
import { patientKeychain } from '../../services/vault/patient-keychain.ts';
import { type MoveVault, moveVault, openVault, type VaultDeps } from '../../services/vault/vault.ts';
import { createLoginStore, type LoginStore } from '../auth/login-store.ts';
import type { HostPorts } from '../host-ports.ts';
import type { AccountKeys } from './account-keys.ts';
import { createApiKeyLookup } from './api-key-lookup.ts';
import type { Secrets } from './secrets.ts';

interface KeeperDeps {
  readonly ports: Pick<
    HostPorts,
    'home' | 'env' | 'clock' | 'log' | 'addSecret' | 'loadCrypto' | 'loadKeychain'
  >;
  readonly disk: DiskPort;
  onWaiting(backend: string): void;
  onChanged(): void;
}

const onlyDemo = fail(
  'insecure_storage',
  'secrets.demoProtectionOnly',
  {},
  { help: 'secrets.choosePassphraseAndRetry' },
);

/** Failures of a move for which a passphrase is no help. */
const tellsItself: readonly string[] = ['disk_full', 'io_error', 'timeout', 'corrupt'];

/** Opens the vault once, as each use permits, and caches it. */
export function createVaultKeeper(deps: KeeperDeps): Secrets {
  return new VaultKeeper(deps);
}

class VaultKeeper implements Secrets {
  readonly apiKeys: ReturnType<typeof createApiKeyLookup>;
  readonly logins: LoginStore;
  readonly mcp: Secrets['mcp'];
  readonly #deps: KeeperDeps;
  readonly #files: MasterFiles;
  #box: SecretBox | null = null;
  #keys: AccountKeys | null = null;
  #keychain: Promise<KeychainPort | null> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    const { ports, disk } = deps;
    const { home, clock, log } = ports;
    this.#files = createMasterFiles(disk, home);
    const stored = createApiKeys({ home, disk, clock, log, box: () => this.#box });
    const { env, addSecret } = ports;
    this.mcp = stored;
    this.logins = createLoginStore({ stored, addSecret });
    const nowMs = (): number => clock.now();
    this.apiKeys = createApiKeyLookup({ stored, logins: this.logins, env, addSecret, nowMs });
  }

  state(): 'none' | 'open' | 'locked' {
    if (this.#box) return 'open';
    const master = this.#files.read();
    return master.ok && master.value === null ? 'none' : 'locked';
  }

  view(): HostView['vault'] {
    const { kind, backend, note } = vaultState(this.#files);
    return { kind, backend, note };
  }

  /** Also true if the vault cannot be read, because a lock must not open for that reason. */
  hasPassphrase(): boolean {
    const { kind } = this.view();
    return kind === 'passphrase' || (kind === 'none' && this.state() !== 'none');
  }

  keys(): AccountKeys | null {
    return this.#keys;
  }

  open(): Promise<Result<void>> {
    return this.#inTurn(async () =>
      this.state() === 'locked' ? this.#open(this.#passphrase(), false) : ok(undefined),
    );
  }

  openForDemo(): Promise<Result<void>> {
    return this.#inTurn(async () => (this.#box ? ok(undefined) : this.#open(this.#passphrase(), true)));
  }

  openForReal(): Promise<Result<void>> {
    return this.#inTurn(() => this.#openForReal());
  }

  unlock(passphrase: string): Promise<Result<void>> {
    return this.#inTurn(() => this.#unlock(passphrase));
  }

  check(passphrase: string): Promise<Result<void>> {
    return this.#inTurn(async () => {
      const vault = await this.#vaultDeps(passphrase, false);
      const opened = vault.ok ? await openVault(vault.value) : vault;
      return opened.ok ? ok(undefined) : opened;
    });
  }

  changePassphrase(former: string, next: string): Promise<Result<void>> {
    return this.#inTurn(async () => {
      if (this.view().kind !== 'passphrase') return err(fail('conflict', 'secrets.noPassphraseToChange'));
      for (const secret of [former, next]) this.#deps.ports.addSecret(secret);
      return this.#moveVault({ to: 'passphrase', newPassphrase: next }, former);
    });
  }

  erase(): Promise<Result<void>> {
    return this.#inTurn(() => this.#erase());
  }

  /**
   * Serialized: two concurrent calls without a vault would each create one, and the second would replace the
   * first.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #openForReal(): Promise<Result<void>> {
    const opened = this.#box ? ok(undefined) : await this.#open(this.#passphrase(), false);
    if (!opened.ok) return opened;
    if (this.#box?.kind !== 'demo-file') return ok(undefined);
    const passphrase = this.#passphrase();
    return passphrase === undefined ? this.#moveToKeychain() : this.#unlock(passphrase);
  }

  async #unlock(passphrase: string): Promise<Result<void>> {
    this.#deps.ports.addSecret(passphrase);
    const kind = this.view().kind;
    if (kind !== 'demo-file') return this.#box ? ok(undefined) : this.#open(passphrase, false);
    return this.#moveVault({ to: 'passphrase', newPassphrase: passphrase });
  }

  async #erase(): Promise<Result<void>> {
    const master = this.#files.read();
    if (master.ok && master.value?.kind === 'keychain') {
      await (await this.#loadKeychain())?.delete(keychainAccount(master.value.id));
    }
    this.#box = null;
    this.#keys = null;
    this.apiKeys.forget();
    this.logins.forget();
    const key = this.#files.demoKey.remove();
    if (!key.ok) return key;
    const removed = this.#files.remove();
    this.#deps.onChanged();
    return removed;
  }

  /** A keychain may have appeared since the demo started; one that refuses counts as none. */
  async #moveToKeychain(): Promise<Result<void>> {
    this.#keychain = null;
    const moved = await this.#moveVault({ to: 'keychain' });
    return moved.ok || tellsItself.includes(moved.error.code) ? moved : err(onlyDemo);
  }

  async #moveVault(move: MoveVault, passphrase?: string): Promise<Result<void>> {
    const vault = await this.#vaultDeps(passphrase, false);
    if (!vault.ok) return vault;
    const moved = await moveVault(vault.value, move);
    return moved.ok ? this.#take(vault.value.crypto, moved.value) : moved;
  }

  #passphrase(): string | undefined {
    const given = this.#deps.ports.env.KENNEL_PASSPHRASE;
    if (given) this.#deps.ports.addSecret(given);
    return given === '' ? undefined : given;
  }

  /**
   * A missing keychain is looked up again each time, because the desktop session may provide it after the
   * host started.
   */
  async #loadKeychain(): Promise<KeychainPort | null> {
    this.#keychain ??= this.#deps.ports.loadKeychain();
    const found = await this.#keychain;
    if (found === null) this.#keychain = null;
    return found;
  }

  async #vaultDeps(passphrase: string | undefined, allowDemoFile: boolean): Promise<Result<VaultDeps>> {
    const { ports, onWaiting } = this.#deps;
    const crypto = await ports.loadCrypto();
    if (!crypto.ok) return crypto;
    const loaded = await this.#loadKeychain();
    const { clock } = ports;
    const keychain = loaded && patientKeychain({ keychain: loaded, clock, onWaiting });
    const base = { files: this.#files, crypto: crypto.value, keychain, allowDemoFile };
    return ok(passphrase === undefined ? base : { ...base, passphrase });
  }

  async #open(passphrase: string | undefined, allowDemoFile: boolean): Promise<Result<void>> {
    const vault = await this.#vaultDeps(passphrase, allowDemoFile);
    if (!vault.ok) return vault;
    const opened = await openVault(vault.value);
    return opened.ok ? this.#take(vault.value.crypto, opened.value) : opened;
  }

  async #take(crypto: CryptoEngine, box: SecretBox): Promise<Result<void>> {
    // Loaded when the vault first opens, to keep startup fast without one.
    const { accountKeys } = await import('./wrapped-keys.ts');
    const { disk, ports } = this.#deps;
    const { clock, log } = ports;
    this.#box = box;
    this.#keys = accountKeys({ disk, crypto, box, clock, log });
    this.apiKeys.forget();
    this.logins.forget();
    this.#deps.onChanged();
    return ok(undefined);
  }
}
