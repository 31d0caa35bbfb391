import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { HarnessId } from '../contract/harnesses.ts';
import type { Result } from '../contract/result.ts';
import type { AgentConfig } from '../core/agents/agent-config.ts';
import type { Scope } from '../core/lib/scope.ts';
import type { DiskPort } from '../core/ports.ts';
import type { HarnessContainer, HarnessProcessPort, ModelRelayPort } from '../core/runtimes/harness-ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import type { HarnessOutput, HarnessProcesses } from '../services/executors/harness-process.ts';
import type { ModelRelays } from '../services/models/relay/model-relay.ts';
import type { AgentContainers } from './harnesses/agent-containers.ts';
import { type AgentContexts, createProgramContexts } from './harnesses/agent-contexts.ts';
import { type AgentTerminals, createAgentTerminals } from './harnesses/agent-terminals.ts';
import { containerOf } from './harnesses/container-settings.ts';
import { createHarnessFinder } from './harnesses/find-harnesses.ts';
import { createHarnessCanaries, type HarnessCanaries } from './harnesses/harness-canaries.ts';
import { createProcessLedger, type ProcessLedger } from './harnesses/process-ledger.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import { choosePlace } from './socket-path.ts';

export interface HarnessProcessParts {
  /** Loads with the first runtime that starts a program. */
  readonly processes: () => Promise<HarnessProcessPort>;
  /** Loads with the first runtime whose program calls a model. */
  readonly modelRelay: () => Promise<ModelRelayPort>;
  readonly ledger: ProcessLedger;
  readonly canaries: HarnessCanaries;
  /** Loads with the first agent in a container. */
  readonly containers: () => Promise<AgentContainers>;
  /** Image and limits of an agent's container. */
  container(config: AgentConfig, harness: HarnessId): HarnessContainer;
  readonly terminals: AgentTerminals;
  readonly contexts: AgentContexts;
  /** Ends the process with this id in the ledger; false if none runs. */
  endProcess(id: string): Promise<boolean>;
  /** Kills it, so that its turn goes on in a new process; false if none runs. */
  restartProcess(id: string): Promise<boolean>;
  /** Of the agent's newest program, without secrets; `null` if none was started. */
  outputOf(agentId: string): Promise<HarnessOutput | null>;
  /** Whether this system offers a sandbox for them. */
  hasWalls(): Promise<boolean>;
  /** Ends what an earlier host left running, and removes its sockets. */
  begin(): void;
}

/** Part of the composition root: the processes of agent programs, their ledger, and their way to models. */
export function buildHarnessProcesses(
  { ports, layout, disk, settings, agents }: HarnessProcessWiring,
  scope: Scope,
): HarnessProcessParts {
  const { clock, random, log, addSecret, version } = ports;
  const ledger = createProcessLedger({ disk, path: layout.processLedger, clock, log });
  const terminals = createAgentTerminals({ clock, disk, path: layout.terminals });
  const containers = loadedOnce<AgentContainers>(async () => {
    const { createAgentContainers } = await import('./harnesses/agent-containers.ts');
    return createAgentContainers({ env: ports.env, clock, layout });
  });
  const processes = loadedOnce<HarnessProcesses>(async () => {
    const { createHarnessProcesses } = await import('../services/executors/harness-process.ts');
    return createHarnessProcesses({
      clock,
      random,
      ledger,
      hidden: [layout.home],
      containers: { prepare: async (...start) => (await containers.load()).executor.prepare(...start) },
    });
  });
  const relays = loadedOnce<ModelRelays>(async () => {
    const { createModelRelays } = await import('../services/models/relay/model-relay.ts');
    const socketPath = createSocketPaths(layout);
    return createModelRelays(
      { clock, random, log, addSecret, socketPath },
      {
        openTools: async ({ agentId, tools }) => {
          const [{ createToolServer }, { turnTools }] = await Promise.all([
            import('../services/mcp/mcp-http.ts'),
            import('./mcp/turn-tools.ts'),
          ]);
          return createToolServer(agentId, turnTools(tools), { version, clock, log });
        },
      },
    );
  });
  scope.add('model relay', async () => (await relays.loaded())?.close());
  scope.add('agent programs', async () => (await processes.loaded())?.close());
  const tidy = async (): Promise<void> => {
    try {
      await (await containers.load()).executor.tidy((id) => agents.get(id) !== null);
    } catch (error) {
      log.warn('containers_not_tidied', { error: String(error) });
    }
  };
  return {
    processes: processes.load,
    containers: containers.load,
    container: (config, harness) => containerOf(config, harness, settings),
    modelRelay: relays.load,
    ledger,
    terminals,
    contexts: createProgramContexts({ clock }),
    canaries: createHarnessCanaries({
      disk,
      path: layout.harnessCanaries,
      clock,
      random,
      find: (id) => createHarnessFinder({ env: ports.env, clock }, id)(),
      processes: processes.load,
    }),
    endProcess: async (id) => (await processes.load()).end(id),
    restartProcess: async (id) => (await processes.load()).restart(id),
    async outputOf(agentId) {
      const output = (await processes.load()).outputOf(agentId);
      return output && { ...output, text: ports.scrub(output.text) };
    },
    hasWalls: async () => (await processes.load()).hasWalls(),
    begin() {
      ledger.reap();
      terminals.begin();
      // Made with the first container.
      if (existsSync(layout.containers)) void tidy();
      disk.remove(layout.modelSockets);
    },
  };
}

interface HarnessProcessWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'env' | 'random' | 'log' | 'addSecret' | 'scrub' | 'version'>;
  readonly layout: Pick<
    Layout,
    'home' | 'harnessCanaries' | 'processLedger' | 'terminals' | 'modelSockets' | 'containers'
  >;
  readonly disk: DiskPort;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly agents: Pick<AgentStore, 'get'>;
}

function createSocketPaths({ home, modelSockets }: HarnessProcessWiring['layout']) {
  return (id: string): Result<string> => {
    mkdirSync(modelSockets, { recursive: true, mode: 0o700 });
    return choosePlace(join(modelSockets, `${id}.sock`), home, `-${id}`);
  };
}

/** A part that loads on first use; a failed load is tried again. */
function loadedOnce<Part>(load: () => Promise<Part>) {
  let loaded: Promise<Part> | null = null;
  return {
    load(): Promise<Part> {
      loaded ??= load().catch((error: unknown) => {
        loaded = null;
        throw error;
      });
      return loaded;
    },
    /** `null` if it was not loaded. */
    loaded: () => loaded,
  };
}
