import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { Question } from '../../core/approvals/approval-centre-ports.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../../core/approvals/approval-gate.ts';
import { loadOnce } from '../../core/lib/shared-run.ts';
import type { SpendGate } from '../../core/models/spend-gate.ts';
import type { ShareRule } from '../../core/policy/source.ts';
import type { DiskPort } from '../../core/ports.ts';
import { createSupervisor } from '../../core/supervisor/supervisor.ts';
import type { AgentNotes } from '../../core/supervisor/worker-ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { OperatorTrust } from '../approvals/operator-trust.ts';
import { lazyImageShrinker } from '../files/agent-files.ts';
import type { HarnessAccess } from '../harnesses/program-agent.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Layout } from '../layout.ts';
import type { WatchStore } from '../stores/store-watch.ts';
import type { AgentFolders } from './agent-folders.ts';
import type { OperatorCommands } from './agent-inbox.ts';
import type { AgentKitDeps } from './agent-kit.ts';
import { createFleetLauncher } from './agent-launcher.ts';
import type { SharedContacts } from './agent-people.ts';
import { createAgentRequests } from './agent-requests.ts';
import { type AgentDuties, createAgentStates, type FleetEvents } from './agent-states.ts';
import { createAgentLifecycle, type Fleet, type FleetDeps } from './fleet.ts';
import type { LaunchAgent } from './launch-agent.ts';
import type { ModelAccess } from './model-access.ts';
import { createRuntimeFiles } from './runtime-files.ts';
import type { TurnSink } from './turn-events.ts';

// The part of the composition root that makes the fleet; the modules of a running agent load with the first one.

/** Questions of agents to the operator. */
interface AgentQuestions {
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  gate(): ApprovalGate;
  sharesOf(agentId: string): readonly ShareRule[];
  questionOf(agentId: string, call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
  withdrawBut(agentId: string, goOn: () => ReadonlySet<string>): void;
}

export interface AgentParts {
  readonly ports: Pick<HostPorts, 'home' | 'env' | 'clock' | 'random' | 'log'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly settings: DaemonSettings;
  readonly agents: AgentStore;
  readonly watchStore: WatchStore;
  readonly models: ModelAccess;
  readonly spend: SpendGate;
  readonly folders: AgentFolders;
  readonly sharedTools: () => Promise<AgentKitDeps>;
  readonly questions: AgentQuestions;
  readonly commands: OperatorCommands;
  readonly contacts: () => SharedContacts;
  readonly trust: OperatorTrust;
  readonly operatorServer: () => string | null;
  readonly notesOf: (agentId: string) => AgentNotes;
  readonly harness: HarnessAccess;
}

export interface FleetParts extends AgentParts {
  readonly events: FleetEvents;
  readonly duties: AgentDuties;
  readonly turns: readonly TurnSink[];
  readonly retire: FleetDeps['retire'];
}

export function buildFleet(parts: FleetParts): Fleet {
  const { ports, agents, settings, events, duties, turns, retire } = parts;
  const { clock, random, log } = ports;
  const states = createAgentStates({
    clock,
    log,
    events,
    turns,
    duties,
    createFiles: (look) =>
      createRuntimeFiles({
        clock,
        log,
        agents,
        look: (id) => {
          const agent = agents.get(id);
          return agent && look(agent);
        },
        heartbeatMs: () => settings.config().runtime_heartbeat_seconds * 1000,
      }),
  });
  const launcher = createFleetLauncher({ load: loadOnce(() => loadLaunch(parts)), states });
  const supervisor = createSupervisor<AgentConfig>({ launcher, clock, random, log, onLife: states.lived });
  const requests = createAgentRequests({ agents, fleet: () => fleet, clock, log });
  const fleet = createAgentLifecycle({ agents, launcher, supervisor, states, requests, retire });
  return { ...fleet, sharedTools: parts.sharedTools };
}

async function loadLaunch(parts: AgentParts): Promise<LaunchAgent> {
  const { ports, agents, settings, questions, commands } = parts;
  const { clock, random } = ports;
  const [{ createAgentAccounts, heartbeatMs }, { createAgentPeople }, { createAgentArrivals }, inbox, turns] =
    await Promise.all([
      import('./open-agent.ts'),
      import('./agent-people.ts'),
      import('./agent-arrivals.ts'),
      import('./agent-inbox.ts'),
      import('./agent-turns.ts'),
    ]);
  const { createLaunch } = await import('./launch-agent.ts');
  const { createAgentWorker } = await import('../../core/supervisor/agent-worker.ts');
  const { layout, watchStore, trust, operatorServer, contacts, folders } = parts;
  const accounts = createAgentAccounts({
    ...ports,
    layout,
    watchStore,
    reports: {
      heartbeatMs: heartbeatMs(ports.env),
      isScripted(id) {
        const agent = agents.get(id);
        const choice = agent && parts.models.choose(id, configInForce(agent));
        return choice?.ok === true && choice.value.scripted;
      },
    },
  });
  const { sharesOf, ask, withdrawBut } = questions;
  return createLaunch({
    accounts,
    inboxOf: inbox.createAgentInbox({
      accounts,
      peopleOf: createAgentPeople({ agents, trust, operatorServer, sharesOf, contacts }),
      arrivalsOf: createAgentArrivals({ clock, random, ask }),
      commands,
      clock,
      limits: () => settings.config().limits,
    }),
    turnsOf: turns.createAgentTurns({
      ...(await loadThinking(parts)),
      intake: { agents, folders, images: lazyImageShrinker(clock), clock },
      withdrawBut,
      workerOf({ log, sources, ...worker }) {
        const notes = parts.notesOf(worker.agentId);
        return createAgentWorker({
          ...worker,
          sources: { ...sources, notes },
          ports: { clock, random, log },
        });
      },
      clock,
    }),
  });
}

async function loadThinking({
  ports,
  agents,
  settings,
  disk,
  folders,
  models,
  spend,
  sharedTools,
  questions,
  harness,
}: AgentParts) {
  const { home, env, clock, random, log } = ports;
  const [{ createAgentRuntimes }, { createRuntimes }, { createAgentContexts, createSkillTexts }] =
    await Promise.all([import('./agent-runtime.ts'), import('./runtimes.ts'), import('./turn-context.ts')]);
  return {
    runtimeOf: createAgentRuntimes({
      runtimes: createRuntimes({
        models,
        clock,
        random,
        programs: { agents, folders, disk, env, harness },
      }),
      spend,
      kitOf: async ({ opened, config }, messaging) => {
        const { createKitSource } = await import('./agent-kit.ts');
        return createKitSource({
          shared: sharedTools,
          agent: () => agents.get(opened.id),
          config,
          messaging,
          consent: {
            gate: questions.gate(),
            waitingFor: (call) => questions.questionOf(opened.id, call),
          },
          log: opened.log,
        });
      },
      turnMs: () => settings.config().limits.turn_minutes * 60_000,
    }),
    contextOf: createAgentContexts({
      home,
      disk,
      agents,
      settings,
      log,
      skillsOf: createSkillTexts({ agents, folders, disk, log }),
    }),
  };
}
