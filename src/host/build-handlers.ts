import type { DoctorCheck, HostView } from '../contract/model.ts';
import type { Result } from '../contract/result.ts';
import { newEnvelopeId } from '../core/puffo/ids.ts';
import { createLifeHandlers } from './agents/agent-handlers.ts';
import { createAgentCreator } from './agents/create-agent.ts';
import { createAgentEditor } from './agents/edit-agent.ts';
import { createEditHandlers } from './agents/edit-handlers.ts';
import { createFirstPicture } from './agents/first-picture.ts';
import { createFolderHandlers } from './agents/folder-handlers.ts';
import { createPictures } from './agents/pictures.ts';
import { createRegisterNewAgent } from './agents/register-new-agent.ts';
import { createSoulHandlers } from './agents/soul-handlers.ts';
import { createWorkHandlers } from './agents/work-handlers.ts';
import { createWorkspaceHandlers } from './agents/workspace-handlers.ts';
import { createApprovalHandlers } from './approvals/approval-handlers.ts';
import { createShareHandlers } from './approvals/share-handlers.ts';
import { createAuthHandlers } from './auth/auth-handlers.ts';
import { createLockHandlers } from './auth/lock-handlers.ts';
import { createBackupHandlers } from './backup/backup-handlers.ts';
import { createBridgeHandlers } from './bridge/bridge-handlers.ts';
import { buildBundleHandlers } from './build-bundle-handlers.ts';
import { buildDemoParts } from './build-demo.ts';
import type { Features } from './build-features.ts';
import { buildSpaceHandlers } from './build-space-handlers.ts';
import { createAnnotationHandlers } from './chat/annotation-handlers.ts';
import { createChatHandlers, createRoomLookup } from './chat/chat-handlers.ts';
import { createConversationHandlers } from './chat/conversation-handlers.ts';
import { createMuteHandlers } from './chat/mute-handlers.ts';
import { createContactHandlers } from './contacts/contact-handlers.ts';
import { createDataHandlers } from './data-service/data-handlers.ts';
import { createSetupHandlers } from './demo/setup-handlers.ts';
import { desktopHandlers } from './desktop-handlers.ts';
import type { Handlers } from './dispatch.ts';
import type { ModelCheckDeps } from './doctor/model-check.ts';
import { createFileHandlers } from './files/file-handlers.ts';
import { createPageUploads } from './files/uploads.ts';
import { createHarnessHandlers } from './harnesses/harness-handlers.ts';
import { createImageHandlers } from './harnesses/image-handlers.ts';
import { createHistoryHandlers } from './history/history-handlers.ts';
import { createAway } from './home/away-report.ts';
import { createFirstSteps } from './home/first-steps.ts';
import { createHomeHandlers } from './home/home-handlers.ts';
import { createHostHandlers } from './host-handlers.ts';
import { createIdentityHandlers } from './identity/identity-handlers.ts';
import { createOwnProfileHandlers } from './identity/own-profile-handlers.ts';
import { createMcpHandlers } from './mcp/mcp-handlers.ts';
import { createMcpServerHandlers } from './mcp-servers/mcp-server-handlers.ts';
import { createMemoryHandlers } from './memory/memory-handlers.ts';
import { createModelListHandlers } from './models/model-list-handlers.ts';
import { createModelTestHandlers } from './models/model-test-handlers.ts';
import { createPeopleHandlers } from './people/people-handlers.ts';
import { createProxyHandlers } from './proxy/proxy-handlers.ts';
import { createScheduleHandlers } from './schedules/schedule-handlers.ts';
import { createSettingsHandlers } from './settings/settings-handlers.ts';
import { createSkillHandlers } from './skills/skill-handlers.ts';
import { skillsDirOf } from './skills/skill-places.ts';
import { createTaskHandlers } from './tasks/task-handlers.ts';
import type { PageAccess } from './transport/web-server.ts';
import { createSnapshotHandlers } from './undo/snapshot-handlers.ts';
import { createUndoHandlers } from './undo/undo-handlers.ts';
import {
  createLoginRefreshHandlers,
  createPrimerHandlers,
  createUpdateHandlers,
} from './upkeep/upkeep-handlers.ts';
import { createUsageHandlers } from './usage/usage-handlers.ts';
import { createTurnFinder } from './work/find-turn.ts';
import { createTurnHandlers } from './work/turn-handlers.ts';
import { TurnPages } from './work/turn-pages.ts';
import { createTurnStores } from './work/turn-stores.ts';
import { createWorkflowRows } from './workflows/workflow-rows.ts';
import { loadSandboxedGit } from './worktrees/load-git.ts';

/** The running host, as its own methods control it. */
export interface HostControls {
  /** `null` if the page is not served on loopback. */
  page(): PageAccess | null;
  stop(reason: string): void;
  /** Starts the parts that waited for the vault. */
  resume(): Promise<void>;
}

/** Part of the composition root: a handler for each method of the host. */
export function buildHandlers(features: Features, controls: HostControls): Handlers {
  const hostHandlers = buildHostHandlers(features, controls);
  const agentHandlers = buildAgentHandlers(features);
  return {
    ...desktopHandlers,
    ...hostHandlers,
    ...buildOperatorHandlers(features),
    ...agentHandlers,
    ...buildChatHandlers(features),
    ...buildWorkHandlers(features, { ...hostHandlers, ...agentHandlers }),
  };
}

/** The host itself: its state, secrets, settings, demo, backup, entry points. */
function buildHostHandlers(features: Features, { page, stop, resume }: HostControls) {
  const { ports, layout, disk, problems, secrets, settings, auth, agents, topics, relay } = features;
  const { approvals, usage, schedules, tasks, workflows, restorePoints, identity, summarize } = features;
  const { fleet, models } = features;
  const { clock, fetch, home, mode, version } = ports;
  const viewNow = (): HostView => {
    topics.flush();
    return features.view();
  };
  const eraseStores = async (): Promise<Result<void>> => {
    const forgotten = await approvals.erase();
    const spent = forgotten.ok ? usage.erase() : forgotten;
    await schedules.forget();
    const untasked = spent.ok ? await tasks.erase() : spent;
    const unrun = untasked.ok ? await workflows.erase() : untasked;
    return unrun.ok ? restorePoints.erase() : unrun;
  };
  const lists = buildModelHandlers(features);
  const { registerAgent: register, closeServers } = features;
  const demo = buildDemoParts(
    { ...features, viewChanged: topics.viewChanged },
    { register, eraseStores, closeServers },
  );
  return {
    ...createHostHandlers({
      view: viewNow,
      pages: page,
      stop,
      unlock: (passphrase) => secrets.unlock(passphrase),
      resume,
      examine: (view) =>
        examineHost(features, view, (wish) => lists['models.list'](wish, { kind: 'owner-ui' })),
    }),
    ...createSetupHandlers({
      mode,
      problems,
      demo,
      signUps: identity.signUps,
      relay,
      relayStore: layout.relayStore,
    }),
    ...createLockHandlers({ lock: features.windowLock, secrets, pages: page }),
    ...createSettingsHandlers({
      settings,
      secrets,
      models,
      onChanged: () => {
        for (const { id } of agents.list()) fleet.modelChanged(id);
        topics.allAgentsChanged();
      },
      onNotifications: topics.viewChanged,
    }),
    ...createAuthHandlers({ auth, secrets, settings, clock }),
    ...createProxyHandlers(features.proxy),
    ...createBridgeHandlers({ agents, bridge: features.bridge, apiKeys: secrets.apiKeys }),
    ...createDataHandlers({ agents, data: features.data }),
    ...createMcpHandlers({ agents, mcp: features.mcp, calls: features.mcpCalls }),
    ...createMcpServerHandlers({
      agents,
      servers: features.mcpServers,
      sources: features.mcpSources,
      secrets,
      scrub: ports.scrub,
    }),
    ...createBackupHandlers(ports, () => createFirstSteps({ clock, self: features.self }).noteBackup()),
    ...createPrimerHandlers({ agents, disk, home, clock }),
    ...createLoginRefreshHandlers({ agents, summarize, secrets, auth, clock }),
    ...createHarnessHandlers({
      ...ports,
      agents,
      programs: features.harness,
      openTerminal: async (agent) => {
        const { openTerminal } = await import('./harnesses/cli-local.ts');
        const { harness, folders } = features;
        return openTerminal({ ...ports, agents, disk, folders, models, harness }, agent, usage.gate);
      },
    }),
    ...createImageHandlers({ agents, settings, clock, containers: features.harness.containers }),
    ...createUpdateHandlers({ version, fetch, settings, problems }),
    ...lists,
  };
}

/** Models: their lists and a test of each choice. */
function buildModelHandlers({ ports, agents, settings, secrets, auth, models }: Features) {
  const { clock, fetch } = ports;
  const targets = { agents, settings, apiKeys: secrets.apiKeys, token: auth.token };
  const lists = createModelListHandlers({ ...targets, clock, fetch });
  return { ...lists, ...createModelTestHandlers({ targets, models, lists, clock }) };
}

async function examineHost(
  features: Features,
  view: HostView,
  listModels: ModelCheckDeps['listModels'],
): Promise<readonly DoctorCheck[]> {
  // Loaded on demand to keep startup fast.
  const [{ runCheckUp }, { checkHost }, { checkModels }] = await Promise.all([
    import('./doctor/doctor.ts'),
    import('./doctor/host-checks.ts'),
    import('./doctor/model-check.ts'),
  ]);
  const { agents, problems, summarize, operator, relay, settings, bridge, secrets } = features;
  const { home, loadCrypto, loadKeychain, clock, fetch, mode, env } = features.ports;
  const models = checkModels({ agents, summarize, apiKeys: secrets.apiKeys, listModels });
  const machine = await runCheckUp(
    {
      machine: { home, loadCrypto, loadKeychain },
      network: { clock, fetch, operator, agents, relay },
      ports: { mode, settings, bridge },
      env,
    },
    view.vault.kind,
  );
  const found = await models;
  return [...machine, ...found, ...checkHost({ mode, problems, agents, summarize }, view)];
}

/** The operator's identity, contacts and spaces. */
function buildOperatorHandlers(features: Features) {
  const { agents, fleet, operator, identity, contacts, chat, topics } = features;
  return {
    ...createIdentityHandlers(identity, agents),
    ...createContactHandlers(contacts),
    ...createPeopleHandlers({
      session: () => operator.session(),
      openParts: features.openParts,
      rooms: () => chat.refreshRooms(),
      known: () => chat.people.all(),
      log: features.ports.log,
    }),
    ...createOwnProfileHandlers({
      operator,
      profiles: identity.profiles,
      picture: createPictures({ agents, fleet, operator }).own,
      onChanged() {
        chat.roomsChanged();
        topics.viewChanged();
      },
    }),
    ...buildSpaceHandlers(features),
  };
}

/** The agents: their files, runtime, notes, export and import. */
export function buildAgentHandlers(features: Features) {
  const {
    ports,
    disk,
    agents,
    fleet,
    secrets,
    settings,
    models,
    operator,
    identity,
    chat,
    facts,
    summarize,
  } = features;
  const { profiles, registrations } = identity;
  const { clock, mode } = ports;
  const { registerAgent, topics } = features;
  const register = createRegisterNewAgent({ mode, agents, operator, registrations, registerAgent });
  const uploadPicture = createFirstPicture({ agents, fleet, profiles, clock, runsAgents: mode === 'full' });
  return {
    ...createLifeHandlers({
      agents,
      fleet,
      facts,
      apiKeys: secrets.apiKeys,
      picture: createPictures({ agents, fleet, operator }).agent,
      commonMode: () => settings.config().policy.mode,
    }),
    ...createEditHandlers({
      create: createAgentCreator({ agents, secrets, clock, fleet, register, uploadPicture }),
      edit: createAgentEditor({ agents, disk, clock, profiles, onEdited: () => chat.roomsChanged() }),
      runtime: { agents, secrets, fleet, models },
      summarize,
    }),
    ...createWorkHandlers({ agents, fleet, live: features.work }),
    ...createFolderHandlers({ agents, fleet }),
    ...createSoulHandlers({ agents, disk, profiles }),
    ...createWorkspaceHandlers({ agents, fleet }),
    ...createMemoryHandlers({ agents, disk, clock }),
    ...createSkillHandlers({
      home: ports.home,
      skillsDir: () => skillsDirOf(settings.config().skills_dir, ports.home),
      agents,
      folders: features.folders,
      ports: { disk, clock },
      loadGit: () => loadSandboxedGit(clock),
    }),
    ...buildBundleHandlers(
      { ...features, viewChanged: topics.viewChanged },
      { register: registerAgent, summarize },
    ),
  };
}

/** Messages, files and history. */
function buildChatHandlers(features: Features) {
  const { ports, agents, fleet, chat, operator, relay, self, topics } = features;
  const { clock, random } = ports;
  const uploads = createPageUploads(ports);
  const locate = createRoomLookup({
    chat,
    self,
    agents: () => {
      topics.flush();
      return Object.values(topics.agents.state());
    },
  });
  return {
    ...createHistoryHandlers({ agents, chat, fleet, clock, self }),
    ...createFileHandlers({ uploads, self, onChanged: (id) => chat.settled(id) }),
    ...createAnnotationHandlers({ chat, clock, self }),
    ...createConversationHandlers({ chat, clock, random, locate }),
    ...createMuteHandlers({ chat, clock, locate }),
    ...createChatHandlers({
      chat,
      clock,
      newEnvelopeId: () => newEnvelopeId(random),
      uploads,
      locate,
      serverRows: async (target, limit) => {
        const session = operator.session();
        const running = relay.current();
        if (!session || running?.url !== session.record.serverUrl) return null;
        const room = target.kind === 'dm' ? { dm: [session.self.slug, target.slug] as const } : target;
        return running.serverView(room, limit);
      },
    }),
  };
}

/** The work of agents and its cost: approvals, turns, tasks, workflows, schedules, usage. */
function buildWorkHandlers(features: Features, edit: Pick<Handlers, 'agents.setRuntime' | 'config.set'>) {
  const { ports, layout, agents, fleet, settings, secrets, approvals, policies, usage } = features;
  const { chat, self, work, logs, turnViews, openParts, undo, snapshots, folders } = features;
  const { tasks, taskAgents, taskRooms, schedules, workflows, workflowFiles, parties } = features;
  const { clock, random, log, loadCrypto } = ports;
  const stores = createTurnStores({ clock, log, layout, fleet, openParts });
  const refreshRooms = () => chat.refreshRooms();
  const away = createAway({ agents, approvals, chat, clock, fleet, self });
  return {
    ...createApprovalHandlers({
      approvals,
      agents,
      policies,
      clock,
      auditFolder: layout.audit,
      loadCrypto,
    }),
    ...createShareHandlers({ approvals, agents, chat, self, clock, random }),
    ...createUndoHandlers({ undo, agents, folders }),
    ...createSnapshotHandlers({ snapshots, agents, folders }),
    ...createUsageHandlers({ usage, agents, settings }),
    ...createHomeHandlers({
      away,
      steps: createFirstSteps({ clock, self }),
      agents,
      edit,
      ports: { ...ports, apiKeys: secrets.apiKeys },
    }),
    ...createTurnHandlers({
      pages: new TurnPages({ agents, clock, stores, views: turnViews, live: work, refreshRooms }),
      turns: createTurnFinder({ agents, stores, refreshRooms }),
      views: turnViews,
      live: work,
      approvals,
      logs,
    }),
    ...createTaskHandlers({ agents: taskAgents, approvals, clock, rooms: taskRooms, settings, tasks }),
    ...createScheduleHandlers({ agents: taskAgents, clock, random, rooms: taskRooms, schedules, settings }),
    ...createWorkflowRows({
      workflows,
      files: workflowFiles,
      secrets,
      openParts,
      clock,
      operatorName: () => parties.approverName(null, null),
    }),
  };
}
