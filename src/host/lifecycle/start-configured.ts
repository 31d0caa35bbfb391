import { ok, type Result } from '../../contract/result.ts';
import { isConfigured } from '../../core/agents/agent-config.ts';
import type { DiskPort, Log } from '../../core/ports.ts';
import { absoluteAvatarUrl, avatarBlobId } from '../../core/puffo/avatar-url.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { tidyHome } from '../../services/disk/tidy-home.ts';
import type { OpenParts, Operator } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';
import type { Problems } from '../problems.ts';
import type { EmbeddedRelay } from '../relay/embedded-relay.ts';
import type { Secrets } from '../vault/secrets.ts';

export interface VaultStartDeps {
  readonly secrets: Pick<Secrets, 'state' | 'view' | 'open' | 'openForReal'>;
  readonly operator: Pick<Operator, 'record'>;
  readonly relay: Pick<EmbeddedRelay, 'exists'>;
  readonly agents: Pick<AgentStore, 'list'>;
  readonly openParts: () => Promise<Result<OpenParts>>;
}

/** The vault at the start of a host. */
export interface VaultStart {
  /** Whether anything here needs it: existing contents, an operator, a demo, or an agent with an identity. */
  isNeeded(): boolean;
  open(): Promise<Result<OpenParts>>;
  /** Only a missing or wrong passphrase needs the user. */
  healsByItself(code: string): boolean;
}

export const createVaultStart = ({
  secrets,
  operator,
  relay,
  agents,
  openParts,
}: VaultStartDeps): VaultStart => ({
  isNeeded() {
    if (secrets.state() !== 'none') return true;
    const record = operator.record();
    if (!record.ok || record.value) return true;
    return relay.exists() || agents.list().some((agent) => agent.lastGood && isConfigured(agent.lastGood));
  },
  async open() {
    const opened = secrets.state() === 'none' ? await secrets.openForReal() : await secrets.open();
    return opened.ok ? openParts() : opened;
  },
  healsByItself: (code) => secrets.view().kind !== 'passphrase' && code !== 'unauthenticated',
});

export interface RelayMoveDeps {
  readonly relay: Pick<EmbeddedRelay, 'current' | 'isOurs'>;
  readonly agents: Pick<AgentStore, 'list' | 'update'>;
  readonly problems: Problems;
}

/** The embedded relay may have a new port; updates the server address in the agents' files. */
export function followRelay({ relay, agents, problems }: RelayMoveDeps): void {
  const url = relay.current()?.url;
  if (!url) return;
  for (const agent of agents.list()) {
    const server = agent.lastGood?.puffo_core.server_url ?? '';
    if (server === url || !relay.isOurs(server)) continue;
    const picture = avatarBlobId(agent.lastGood?.avatar_url ?? '', server);
    const moved = agents.update(agent.id, {
      puffo_core: { server_url: url },
      ...(picture === null ? {} : { avatar_url: absoluteAvatarUrl(`/blobs/${picture}`, url) }),
    });
    if (!moved.ok) problems.set(`moved-${agent.id}`, 'warning', moved.error);
  }
}

export interface Begun {
  readonly state: 'ready' | 'locked';
  /** A failure that may pass without the user: a keychain, a disk. */
  readonly again: boolean;
}

function shown<T>(problems: Problems, id: string, result: Result<T>): boolean {
  if (result.ok) problems.clear(id);
  else problems.set(id, 'error', result.error);
  return result.ok;
}

export const agentsHeld = {
  message: say('host.agentsHeld'),
  hint: say('host.startAgentsAgain'),
};

export interface StartDeps {
  readonly vault: VaultStart;
  readonly relay: Pick<EmbeddedRelay, 'exists' | 'start'>;
  readonly operator: Pick<Operator, 'start'>;
  readonly problems: Problems;
  /** Called when the embedded relay runs. */
  readonly onRelay: () => void;
  /** Called last, with the vault open; relay and operator may have failed. */
  readonly onOpen: (parts: OpenParts) => void;
}

/**
 * Starts what is configured, in order of dependency. A failure is shown and the rest continues; running parts
 * are left alone, so the call can be repeated.
 */
export async function startConfigured(deps: StartDeps): Promise<Begun> {
  const { vault, relay, operator, problems } = deps;
  if (!vault.isNeeded()) return { state: 'ready', again: false };
  const parts = await vault.open();
  if (!shown(problems, 'vault', parts) || !parts.ok) {
    return { state: 'locked', again: !parts.ok && vault.healsByItself(parts.error.code) };
  }
  problems.clear('keychain');
  let complete = true;
  if (relay.exists()) {
    complete = shown(problems, 'relay', await relay.start(parts.value.crypto));
    if (complete) deps.onRelay();
  }
  complete = shown(problems, 'operator', await operator.start(parts.value)) && complete;
  deps.onOpen(parts.value);
  return { state: 'ready', again: !complete };
}

export interface CloseFolderDeps {
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly log: Log;
  readonly problems: Problems;
}

/** Restricts permissions of the folder and removes leftovers of a crash, before the host writes anything. */
export async function closeFolder({ layout, disk, log, problems }: CloseFolderDeps): Promise<Result<void>> {
  disk.remove(layout.transfers);
  const report = await tidyHome(layout.home);
  if (report.repaired.length > 0) log.warn('modes_repaired', { count: report.repaired.length });
  if (report.failed.length > 0) {
    problems.set('modes', 'warning', {
      message: say('storage.filesOpenToOthers', { n: report.failed.length }),
      hint: say('storage.checkOwner', { path: report.failed[0] ?? '' }),
    });
  }
  return ok(undefined);
}
