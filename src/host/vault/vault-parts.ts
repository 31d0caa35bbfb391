import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { say } from '../../language/say.ts';
import type { HostPorts } from '../host-ports.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Servers, ServersDeps } from '../identity/servers.ts';
import type { Layout } from '../layout.ts';
import type { Problems } from '../problems.ts';
import type { EmbeddedRelay } from '../relay/embedded-relay.ts';
import type { WatchStore } from '../stores/store-watch.ts';
import type { AccountKeys } from './account-keys.ts';
import type { Secrets } from './secrets.ts';

const locked = fail('locked', 'programs.secretsLocked', {}, { help: 'approvals.runUnlock' });

/** Uses the vault that is open at the moment of each call, because the vault may move while the host runs. */
function currentKeys(secrets: Secrets): AccountKeys {
  return {
    loadIdentity: (folder, slug) => secrets.keys()?.loadIdentity(folder, slug) ?? err(locked),
    saveIdentity: (folder, identity) => secrets.keys()?.saveIdentity(folder, identity) ?? err(locked),
    sessions: (folder, slug) => ({
      load: () => secrets.keys()?.sessions(folder, slug).load() ?? null,
      save: (session) => secrets.keys()?.sessions(folder, slug).save(session),
    }),
    seal: (label, secret) => secrets.keys()?.seal(label, secret) ?? err(locked),
    unseal: (label, sealed) => secrets.keys()?.unseal(label, sealed) ?? err(locked),
    storeKey: (path) => secrets.keys()?.storeKey(path) ?? err(locked),
  };
}

export interface VaultPartsDeps {
  readonly ports: Pick<HostPorts, 'clock' | 'log' | 'loadCrypto'>;
  readonly layout: Layout;
  readonly watchStore: WatchStore;
  readonly problems: Problems;
  readonly secrets: Secrets;
  readonly relay: Pick<EmbeddedRelay, 'isOurs' | 'current'>;
}

/** The parts that depend on the vault. */
export interface VaultParts {
  /** An error while the vault is closed. */
  open(): Promise<Result<OpenParts>>;
  /** Closes the server connections; they reopen on demand. */
  closeServers(): void;
}

const tellDispute =
  (problems: Problems): ServersDeps['onDispute'] =>
  ({ id, name }, open) => {
    if (!open) return problems.clear(`downgraded-${id}`);
    problems.set(`downgraded-${id}`, 'error', {
      message: say('chat.encryptionDisputed', { name: name || id }),
      hint: say('chat.askOthersElsewhere'),
    });
  };

export function createVaultParts(deps: VaultPartsDeps): VaultParts {
  const { layout, watchStore, problems, secrets, relay } = deps;
  const { clock, log, loadCrypto } = deps.ports;
  const keys = currentKeys(secrets);
  let servers: Servers | null = null;
  return {
    async open() {
      if (secrets.state() !== 'open') return err(fail('locked', 'programs.secretsLocked'));
      const crypto = await loadCrypto();
      if (!crypto.ok) return crypto;
      const { createServers, createServerStores } = await import('../identity/servers.ts');
      const { storeKey } = keys;
      const isEmbedded = relay.isOurs;
      servers ??= createServers({
        openStore: createServerStores({ layout, clock, log, watchStore, storeKey, isEmbedded }),
        crypto: crypto.value,
        clock,
        log,
        onDispute: tellDispute(problems),
      });
      const currentUrl = (url: string): string => (relay.isOurs(url) ? (relay.current()?.url ?? url) : url);
      return ok({ keys, servers, crypto: crypto.value, currentUrl });
    },
    closeServers() {
      servers?.stop();
      servers = null;
    },
  };
}
