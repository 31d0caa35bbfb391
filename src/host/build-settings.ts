import { effectiveTriple } from '../core/agents/runtime-triple.ts';
import { loginAccount, serverOf } from '../core/models/provider-gate.ts';
import type { DiskPort } from '../core/ports.ts';
import { say } from '../language/say.ts';
import { createAgentStore } from '../services/agent-store/agent-store.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import { DaemonFile } from '../services/config/daemon-settings.ts';
import { createOpenFiles } from '../services/db/open-files.ts';
import { configInForce } from './agents/agent-view.ts';
import { createAuth } from './auth/auth.ts';
import { demoFile } from './demo/demo-file.ts';
import { createModelAccess } from './fleet/model-access.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import { createPlanPauses } from './models/plan-pauses.ts';
import type { Problems } from './problems.ts';
import { createStoreWatch } from './stores/store-watch.ts';
import { createKeyTaker } from './vault/key-taker.ts';
import { createVaultKeeper } from './vault/vault-keeper.ts';

/** Account stores open at once; an idle one is closed after 30 s. */
const maxOpenStores = 24;

export interface SettingsWiring {
  readonly ports: HostPorts;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  onViewChanged(): void;
}

export type SettingsParts = ReturnType<typeof buildSettings>;

/** Part of the composition root: secrets, settings, the files of agents, and the models that they may use. */
export function buildSettings({ ports, layout, disk, problems, onViewChanged }: SettingsWiring) {
  const { home, clock, log, random } = ports;
  const secrets = createVaultKeeper({
    ports,
    disk,
    onWaiting: (backend) =>
      problems.set('keychain', 'info', {
        message: say('secrets.waitingForKeychain', { name: backend }),
      }),
    onChanged: onViewChanged,
  });
  const takeKey = createKeyTaker({
    secrets,
    log,
    opensVault: ports.mode === 'full',
    onSafe: () => {
      agents.retryKeys();
      settings.reload();
    },
  });
  const settings = new DaemonFile({
    home,
    disk,
    log,
    takeApiKey: (name, key) => takeKey(() => secrets.apiKeys.setForProvider(name, key)),
  });
  const agents: AgentStore = createAgentStore({
    home,
    disk,
    random,
    clock,
    log,
    takeApiKey: (id, key) => takeKey(() => secrets.apiKeys.setForAgent(id, key)),
    sweepMs: () => settings.config().reconcile_interval_seconds * 1000,
  });
  const auth = createAuth({ clock, fetch: ports.fetch, log, logins: secrets.logins, settings });
  const demo = demoFile({ disk, layout });
  const isDemo = (): boolean => {
    const record = demo.read();
    return record.ok && record.value !== null;
  };
  const pauses = createPlanPauses({
    clock,
    disk,
    path: layout.planPauses,
    log,
    problems,
    usersOf: (isAccount) =>
      agents.list().flatMap((agent) => {
        const config = configInForce(agent);
        const name = config.display_name || agent.id;
        const { harness } = effectiveTriple(config.runtime);
        const choice = models.choose(agent.id, config);
        const accounts = [loginAccount(harness), ...(choice.ok ? [serverOf(choice.value)] : [])];
        return accounts.some(isAccount) ? [name] : [];
      }),
  });
  const keys = { find: secrets.apiKeys.find, token: auth.token };
  const models = createModelAccess({ ports, keys, settings, agents, isDemo, pauses });
  const watchStore = createStoreWatch(problems, createOpenFiles(maxOpenStores));
  return { secrets, settings, agents, auth, demo, models, pauses, watchStore };
}
