import { ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { Clock, CryptoEngine, Log, Random } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { openAccountStore } from '../../services/db/account-store.ts';
import type { OutgoingStore } from '../../services/files/outgoing-files.ts';
import { createAccount } from '../../services/puffo/account.ts';
import { createAccountSession } from '../../services/puffo/account-session.ts';
import type { Account, AccountUse } from '../../services/puffo/account-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import type { SessionFile } from '../../services/puffo/subkeys.ts';
import { openOutgoing } from '../files/open-outgoing.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';
import type { WatchStore } from '../stores/store-watch.ts';

export interface AgentAccountsDeps {
  readonly layout: Pick<Layout, 'agentKeys' | 'agentStore' | 'agentOutgoing'>;
  readonly watchStore: WatchStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly reports: AgentReports;
}

/** Facts that the account of an agent reports to others. */
interface AgentReports {
  /** Interval of the agents' heartbeats in ms; the account's own if `undefined`. */
  readonly heartbeatMs: number | undefined;
  /** Whether the agent follows a script now. */
  isScripted(id: string): boolean;
}

/** Identity, store and files of an agent for one run. */
export interface OpenedAgent {
  readonly id: string;
  readonly identity: Identity;
  readonly store: AccountStore;
  readonly directory: ServerDirectory;
  readonly sessions: SessionFile;
  readonly outgoing: OutgoingStore;
  readonly crypto: CryptoEngine;
  readonly log: Log;
}

/** Opens the agents' accounts. */
export interface AgentAccounts {
  open(parts: OpenParts, id: string, config: AgentConfig): Result<OpenedAgent>;
  /** The caller starts the account. */
  connect(opened: OpenedAgent, use: AccountUse): Account;
}

/** `KENNEL_HEARTBEAT_SECONDS`, 10 to 3,600: interval of the agents' heartbeats, in ms. */
export function heartbeatMs(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const seconds = Number(env.KENNEL_HEARTBEAT_SECONDS);
  return seconds >= 10 && seconds <= 3_600 ? seconds * 1000 : undefined;
}

export function createAgentAccounts(deps: AgentAccountsDeps): AgentAccounts {
  const { layout, clock, random } = deps;
  return {
    open(parts, id, { puffo_core: { slug, server_url: serverUrl } }) {
      const { keys, crypto } = parts;
      const stored = keys.loadIdentity(layout.agentKeys(id), slug);
      if (!stored.ok) return stored;
      const identity = { ...stored.value, serverUrl: parts.currentUrl(serverUrl) };
      const path = layout.agentStore(id);
      const key = keys.storeKey(path);
      if (!key.ok) return key;
      const directory = parts.servers.directory(identity.serverUrl);
      if (!directory.ok) return directory;
      const log = deps.log.child({ agent: id });
      const store = openAccountStore({ path, key: key.value, slug, clock, log, ...deps.watchStore(id) });
      const folder = layout.agentOutgoing(id);
      return ok({
        id,
        identity,
        store,
        directory: directory.value,
        sessions: keys.sessions(layout.agentKeys(id), identity.slug),
        outgoing: openOutgoing({ folder, store, crypto, ports: { clock, random, log: deps.log } }),
        crypto,
        log,
      });
    },
    connect({ id, identity, store, directory, sessions, outgoing, crypto, log }, use) {
      const { requests } = directory;
      return createAccount({
        session: createAccountSession({ identity, sessions, requests, crypto, clock, log }),
        directory,
        store,
        ports: { crypto, clock, random, log },
        use,
        options: {
          files: outgoing,
          heartbeatMs: deps.reports.heartbeatMs,
          isScripted: () => deps.reports.isScripted(id),
        },
      });
    },
  };
}
