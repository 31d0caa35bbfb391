import { existsSync } from 'node:fs';
import { appError } from '../contract/errors.ts';
import type { AgentSummary, HostView } from '../contract/model.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { createAgentStore } from '../services/agent-store/agent-store.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import { DaemonFile } from '../services/config/daemon-settings.ts';
import { createOpenFiles } from '../services/db/open-files.ts';
import { createDisk } from '../services/disk/disk.ts';
import type { AccountEvents } from '../services/puffo/account-types.ts';
import { collectFacts, viewAgent } from './agents/agent-view.ts';
import { createEnrolAgent } from './agents/enrol-agent.ts';
import { createHomeSpace, createRegisterAgent } from './agents/register-agent.ts';
import { createAgentFacts, createAgentPolicies } from './approvals/agent-policies.ts';
import { createApprovalHandlers } from './approvals/approval-handlers.ts';
import { createApprovals, createConsentFiles } from './approvals/approvals.ts';
import { createChatConsent } from './approvals/chat-consent.ts';
import { createConsentPlaces } from './approvals/consent-place.ts';
import { createConsentReplies } from './approvals/consent-replies.ts';
import { createOperatorTrust, type OperatorTrust } from './approvals/operator-trust.ts';
import { createOperatorsRoom } from './approvals/operators-room.ts';
import { createQuestionPosts } from './approvals/question-posts.ts';
import { createShareHandlers } from './approvals/share-handlers.ts';
import { createAuth } from './auth/auth.ts';
import { buildBridge } from './build-bridge.ts';
import { buildIdentity } from './build-identity.ts';
import { Chat } from './chat/chat.ts';
import type { ChatSelf } from './chat/self.ts';
import { createTurnDrafts } from './chat/turn-drafts.ts';
import { ContactQuestions } from './contacts/contact-questions.ts';
import { type ContactHolder, Contacts } from './contacts/contacts.ts';
import type { HostContext } from './context.ts';
import { currentKeys } from './current-keys.ts';
import { createDataService } from './data-service/data-service.ts';
import { createEmbeddedRelay } from './embedded-relay.ts';
import { eraseStore } from './erase-store.ts';
import { createAgentFolders } from './fleet/agent-folders.ts';
import type { AgentToolDeps } from './fleet/agent-kit.ts';
import { buildFleet } from './fleet/build-fleet.ts';
import type { Fleet } from './fleet/fleet.ts';
import { createLimitedSenders } from './fleet/limited-senders.ts';
import { createModelAccess } from './fleet/model-access.ts';
import { createSharedTools, lazyAgentCommands } from './fleet/shared-tools.ts';
import { createHistoryHandlers } from './history/history-handlers.ts';
import type { HostPorts } from './host-ports.ts';
import { createKeyTaker } from './key-taker.ts';
import { layoutOf } from './layout.ts';
import { createMcpAccess } from './mcp/mcp-access.ts';
import { type OutsideReader, OutsideReads } from './mcp/outside-reads.ts';
import type { OutsideToolsDeps } from './mcp/outside-tools.ts';
import type { OwnSetupDeps } from './mcp/own-setup.ts';
import { createOperator, type OpenParts } from './operator.ts';
import { createProblems } from './problems.ts';
import { createStreamProxy } from './proxy/proxy.ts';
import { createProxyTokens } from './proxy/proxy-tokens.ts';
import { createScheduleHandlers } from './schedules/schedule-handlers.ts';
import { createSchedules } from './schedules/schedules.ts';
import type { RegistryStoreDeps, Servers, ServersDeps } from './servers.ts';
import { acceptOwnInvite } from './spaces/accept-own-invite.ts';
import { createAgentSigner } from './spaces/agent-signer.ts';
import { createReceivedInvites } from './spaces/received-invites.ts';
import { createStoreWatch } from './store-watch.ts';
import { createTaskAgents } from './tasks/task-agents.ts';
import { createTaskHandlers } from './tasks/task-handlers.ts';
import { createTaskOpener } from './tasks/task-opener.ts';
import { createTaskRooms } from './tasks/task-rooms.ts';
import { createTaskStoreFile } from './tasks/task-store-file.ts';
import { createTasks, type Tasks } from './tasks/tasks.ts';
import { createTopics, type Topics } from './topics.ts';
import { createBudgets } from './usage/budgets.ts';
import { createUsage } from './usage/usage.ts';
import { createUsageFile } from './usage/usage-file.ts';
import { createVaultKeeper } from './vault-keeper.ts';
import { createTurnFinder } from './work/find-turn.ts';
import { createLiveWork } from './work/live-work.ts';
import { createLogs } from './work/logs.ts';
import { createTurnHandlers } from './work/turn-handlers.ts';
import { TurnPages } from './work/turn-pages.ts';
import { createTurnStores } from './work/turn-stores.ts';
import { createTurnViews, type TurnViews } from './work/turn-view.ts';
import type { AskModelFor } from './workflows/ask-model.ts';
import { createAgentPuppies } from './workflows/for-agent.ts';
import type { OpenRunsPort } from './workflows/open-runs.ts';
import { createRunParties } from './workflows/run-parties.ts';
import { createWorkflowRows } from './workflows/workflow-rows.ts';
import { createLazyFiles, createWorkflows, type Workflows } from './workflows/workflows.ts';

/** Account stores open at once; an idle one is closed after 30 s. */
const maxOpenStores = 24;

const hourMs = 3_600_000;

function operatorEvents(chat: () => Chat, context: () => HostContext): AccountEvents {
  return {
    onConnection: (state, detail) => {
      if (state === 'blocked' && detail) context().problems.set('connection', 'error', detail);
      else if (state === 'online') {
        context().problems.clear('connection');
        context().identity.online();
      }
      if (state === 'online') chat().online();
      chat().roomsChanged();
      context().viewChanged();
    },
    onAccepted: (messages) => chat().accepted(messages),
    onOutbox: (envelopeId) => chat().settled(envelopeId),
    onUpload: (...progress) => chat().uploaded(...progress),
    onRefused: (reason) =>
      context().problems.set(`refused-${reason}`, 'warning', {
        message: `A message was refused (${reason}). Nothing else was disturbed.`,
      }),
    onRooms: () => {
      chat().roomsChanged();
      context().workflows.roomsChanged();
    },
    onInvites: (waiting) => context().invites.heard(waiting),
    onProcessing: (frame) => chat().elsewhere.processing(frame),
    onAgentStatus: (frame) => chat().elsewhere.status(frame),
    onHeld: ({ senderSlug, envelopeId }) => context().identity.peers.held(senderSlug, envelopeId),
    onContact: (slug) => context().identity.peers.asked(slug),
  };
}

function createSecrets(
  ports: HostPorts,
  disk: HostContext['disk'],
  problems: HostContext['problems'],
  onChanged: () => void,
): HostContext['secrets'] {
  const message = (backend: string): string => `Waiting for the keychain (${backend}); look for its window.`;
  return createVaultKeeper({
    ports,
    disk,
    onWaiting: (backend) => problems.set('keychain', 'info', { message: message(backend) }),
    onChanged,
  });
}

export interface HostTopicsDeps {
  readonly clock: HostPorts['clock'];
  readonly context: () => HostContext;
  readonly view: () => HostView;
}

/** The topics of a host whose features are created later. */
export function createHostTopics({ clock, context, view }: HostTopicsDeps): Topics {
  return createTopics({
    clock,
    view,
    agents: { list: () => context().agents.list(), get: (id) => context().agents.get(id) },
    summarize: (agent) => viewAgent(collectFacts(context(), agent)),
    features: {
      rooms: (sink) => context().chat.followRooms(sink),
      room: (sink, id) => context().chat.roomTopic(id).subscribe(sink),
      approvals: (sink) => context().approvals.topic.subscribe(sink),
      work: (sink) => context().work.follow(sink),
      logs: (sink) => context().logs.follow(sink),
      tasks: (sink) => context().tasks.feed.follow(sink),
      task: (sink, id) => context().tasks.feed.followTask(Number(id), sink),
      schedules: (sink) => context().schedules.follow(sink),
      runs: (sink) => context().workflows.topics.followAll(sink),
      run: (sink, id) => context().workflows.topics.follow(id, sink),
    },
  });
}

/**
 * Builds the parts of one host. `handlers` serve the methods that need nothing of a running host;
 * `closeServers` closes the server connections, which reopen on demand.
 */
export function buildContext(ports: HostPorts, topics: () => Topics) {
  const { home, clock, log, random } = ports;
  const layout = layoutOf(home);
  const disk = createDisk(random);
  const problems = createProblems(clock, () => topics().viewChanged());
  const secrets = createSecrets(ports, disk, problems, () => topics().viewChanged());
  const takeKey = createKeyTaker({
    secrets,
    log,
    opensVault: ports.mode === 'full',
    onSafe: () => {
      agents.retryKeys();
      settings.reload();
    },
  });
  const relay = createEmbeddedRelay({ ports, layout, disk, problems });
  const settings = new DaemonFile({
    home,
    disk,
    log,
    takeApiKey: (name, key) => takeKey(() => secrets.apiKeys.setForProvider(name, key)),
  });
  const agents = createAgentStore({
    home,
    disk,
    random,
    clock,
    log,
    takeApiKey: (id, key) => takeKey(() => secrets.apiKeys.setForAgent(id, key)),
    sweepMs: () => settings.config().reconcile_interval_seconds * 1000,
  });
  const auth = createAuth({ clock, fetch: ports.fetch, log, logins: secrets.logins, settings });
  const models = createModelAccess({ ports, secrets, settings, agents, auth });
  const watchStore = createStoreWatch(problems, createOpenFiles(maxOpenStores));
  const events = operatorEvents(
    () => chat,
    () => context,
  );
  const operator = createOperator({
    layout,
    disk,
    loadOpener: async () => {
      const { openOperatorSession } = await import('./operator-session.ts');
      const deps = { layout, clock, random, log, events, watchStore };
      return (parts, record) => openOperatorSession(deps, parts, record);
    },
  });
  const self = (): ChatSelf | null => operator.session()?.self ?? null;
  const policies = createAgentPolicies({ agents, settings, home, env: ports.env });
  const trust = createOperatorTrust({ agents, layout, operator });
  const invites = createReceivedInvites(operator, () => chat.roomsChanged());
  const chat: Chat = new Chat({
    clock,
    log,
    invites: () => invites.all(),
    self,
    agents: () => chatAgents(topics().agents.state(), fleet),
    questionIn: (agentId, messageId) => approvals.questionIn(agentId, messageId),
  });
  const usage = createUsage({
    clock,
    file: createUsageFile({ home, disk, clock, log, watchStore }),
    budgets: createBudgets({ agents, settings, models }),
    problems,
    approvals: {
      note: (entry) => void approvals.note(entry),
      attended: policies.isAttended,
      ask: (question, signal) => approvals.ask(question, signal),
      questionOf: (id, call) => approvals.questionOf(id, call),
    },
    onRecorded: (id) => topics().agentChanged(id),
  });
  const turnViews: TurnViews = createTurnViews({
    agents,
    chat,
    usage,
    post: (id) => fleet.post(id),
    liveTurn: (id) => work.turn(id),
    self,
  });
  const work = createLiveWork({ clock, summaries: turnViews.live });
  const askModel: AskModelFor = async (...call) => {
    const asks = await import('./workflows/ask-model.ts');
    return asks.askModel({ models, spend: usage.gate, agents, clock, random }, ...call);
  };
  const workflowFiles = createLazyFiles(layout.workflows, ports.examplesDir ?? null);
  const puppies = createAgentPuppies({
    agents,
    workflows: { runs: () => workflows.runs(), begun: () => workflows.begun() },
    files: workflowFiles,
    clock,
    askModel,
  });
  const folders = createAgentFolders({
    home,
    env: ports.env,
    log,
    workingDir: () => settings.config().limits.working_dir,
  });
  const tasksOfAgent: AgentToolDeps['tasks'] = (id) => tasks.ofAgent(id);
  const sharedTools = createSharedTools({
    folders,
    disk,
    clock,
    commands: lazyAgentCommands({
      home,
      env: ports.env,
      clock,
      commandSeconds: () => settings.config().limits.command_s,
    }),
    puppy: puppies,
    tasks: tasksOfAgent,
  });
  const limitedSenders = createLimitedSenders({
    clock,
    problems,
    limit: () => settings.config().limits.sender_messages,
    nameOf: (agentId) => agents.get(agentId)?.lastGood?.display_name || agentId,
    note: (entry) => void approvals.note(entry),
  });
  const fleet = buildFleet({
    ports,
    layout,
    disk,
    settings,
    agents,
    watchStore,
    models,
    spend: usage.gate,
    folders,
    sharedTools,
    questions: {
      ask: (question, signal) => approvals.ask(question, signal),
      gate: () => approvals.gate(),
      sharesOf: (agentId) => approvals.sharesOf(agentId),
      questionOf: (agentId, call) => approvals.questionOf(agentId, call),
      withdrawBut: (agentId, goOn) =>
        approvals.withdrawBut(agentId, () => new Set([...goOn(), ...mcp.running.turns(agentId)])),
    },
    commands: {
      interceptConsent: (agentId, message) =>
        consent.intercept(agentId, message) ? { reason: 'consent' } : null,
      heedTask: (agentId, message) => tasks.heed(agentId, message),
    },
    contacts: () => contacts,
    trust,
    operatorServer: () => operator.session()?.identity.serverUrl ?? null,
    events: {
      onChanged: (id) => {
        topics().agentChanged(id);
        tasks.agentChanged(id);
      },
      onViewChanged: () => topics().viewChanged(),
      onMarks: (ids) => chat.marksChanged(ids),
      onOnline: (id) => {
        identity.profiles.online(id);
        workflows.agentOnline(id);
      },
      onHeld: (slug, envelopeId) => identity.peers.held(slug, envelopeId),
      onBraked: ({ agentId, turns, why }) => {
        const entry = { kind: 'brake', agentId, outcome: `${turns}`, detail: why } as const;
        void approvals.note({ ...entry, tool: '', digest: '' });
      },
      onSenderLimit: limitedSenders.limited,
    },
    duties: {
      taskOf: (id) => tasks.taskOf(id),
      waitingFor: (id) => approvals.waitingFor(id),
    },
    turns: [
      createTurnDrafts({ chat: () => chat, self: () => operator.session()?.self.slug ?? null }),
      work.sink,
    ],
    retire: (id, account) =>
      identity.retirements.begin(id, account).catch((error: unknown) => {
        log.error('retirement_failed', { agent: id, error });
        return null;
      }),
  });
  const operatorsRoom = createOperatorsRoom({ operator, slugOf: (id) => fleet.post(id)?.slug });
  const sender = (id: string) => fleet.post(id);
  const channels = () => operator.session()?.self.account.rooms().channels ?? [];
  const centre = () => approvals.opened()?.centre ?? null;
  const places = createConsentPlaces({ agents, sender, channels, trust });
  const postQuestion = createQuestionPosts({ trust, places, sender, centre, clock, random });
  const replies = createConsentReplies({ agents, sender, clock, trust });
  const opened = () => approvals.opened();
  const consent = createChatConsent({ opened, trust, postQuestion, replies, log });
  const approvals = createApprovals({
    clock,
    problems,
    files: createConsentFiles(disk, layout),
    loadCentre: async () => {
      const { createAuditOpener } = await import('./approvals/open-audit.ts');
      const { createCentreOpener } = await import('./approvals/open-centre.ts');
      const audit = { folder: layout.audit, version: ports.version, clock, log, problems };
      const openAudit = createAuditOpener(audit);
      return createCentreOpener({ clock, random, log, layout, watchStore, openAudit });
    },
    rules: {
      facts: createAgentFacts({ agents, policies, operatorsRoom }),
      lifeMs: () => settings.config().policy.approval_hours * hourMs,
      answerer: (approval, answer) => workflows.answerer(approval, answer),
    },
    events: {
      onChanged: (id) => topics().agentChanged(id),
      onQuestion: (approval) => {
        consent.follow(approval);
        tasks.decided(approval);
      },
      onAsked: (row) => consent.post(row),
    },
  });
  const taskAgents = createTaskAgents({ agents, fleet });
  const taskRooms = createTaskRooms({ agents: taskAgents, self });
  const taskOpener = createTaskOpener({
    agents: taskAgents,
    approvals,
    file: createTaskStoreFile({ clock, disk, log, path: layout.taskStore, watchStore }),
    ports,
    settings,
    workflows: { runs: () => workflows.runs() },
  });
  const tasks: Tasks = createTasks({
    agents: taskAgents,
    opener: taskOpener,
    ports,
    problems,
    rooms: taskRooms,
    settings,
  });
  const parties = createRunParties({ agents, operator, operatorsRoom, clock });
  const loadRuns = async (): Promise<OpenRunsPort> => {
    const [{ createRunsOpener }, { openRunRecords }, runners, { createGateQuestions }, drivers] =
      await Promise.all([
        import('./workflows/open-runs.ts'),
        import('./workflows/run-records.ts'),
        import('./workflows/host-runners.ts'),
        import('./workflows/gate-questions.ts'),
        import('./workflows/driver.ts'),
      ]);
    const { createAgentRunner, createModelRunner, createProgramRunners } = runners;
    const { askerOf, fenceOf } = runners.createStepAskers(parties.agentOf, random);
    const path = layout.workflowStore;
    const taskOf = (key: string) => tasks.handedOut(runners.taskKey(key));
    const approvalCentre = () => {
      const parts = approvals.parts();
      return parts.ok ? parts.value.centre : null;
    };
    return createRunsOpener({
      clock,
      random,
      openRecords: (parts, onWritten) =>
        openRunRecords({ path, clock, log, watchStore, post: sender, taskOf }, parts, onWritten),
      createRunners: ({ journal, nameOf }, engine) => ({
        ...createProgramRunners({
          journal,
          env: ports.env,
          root: layout.workflows,
          models: { askModel, askerOf },
          files: workflowFiles,
          engine,
        }),
        agent: createAgentRunner({ desk: tasks, fenceOf, nameOf }),
        model: createModelRunner({ askModel, askerOf, fenceOf }),
      }),
      createQuestions: ({ journal, book }, engine) =>
        createGateQuestions({
          centre: approvalCentre,
          journal,
          engine,
          clock,
          log,
          parties: {
            askedIn: (state, gate) => parties.askedIn(book, state, gate),
            approverName: parties.approverName,
          },
        }),
      createDriver: ({ journal, book }, engine, events) =>
        ports.mode === 'full'
          ? drivers.createDriver({
              engine,
              journal,
              clock,
              log,
              agentOf: (run) => parties.agentOf(book.live(run).state.initiatedBy),
              events,
            })
          : drivers.idleDriver,
    });
  };
  const workflows: Workflows = createWorkflows({
    clock,
    problems,
    store: {
      exists: () => existsSync(layout.workflowStore),
      erase: () => eraseStore(disk, layout.workflowStore),
    },
    loadRuns,
    listener: {
      onWritten: (run, isOver) => tasks.runChanged(run, isOver),
      onOpened: (isOver) => tasks.runsOpened(isOver),
    },
    resumes: ports.mode === 'full',
  });
  const schedules = createSchedules({
    agents: taskAgents,
    control: {
      agents,
      folders,
      workflowFolder: layout.workflows,
      files: workflowFiles,
    },
    ports,
    problems,
    tasks,
  });
  const logs = createLogs(clock, ports.logs);
  const { addSecret } = ports;
  const proxy = createStreamProxy({
    settings,
    problems,
    tokens: createProxyTokens({ disk, clock, path: layout.proxyFile, addSecret }),
    stream: { models, spend: usage.gate, clock, random },
    log,
  });
  const opener = createOpener({ ports, layout, watchStore, problems }, secrets, relay);
  const openParts = (): Promise<Result<OpenParts>> => openAll(opener.open, trust, context);
  const shared = { ports, layout, disk, problems, settings };
  const identity = buildIdentity({
    ...shared,
    agents,
    secrets,
    operator,
    openParts,
    fleet,
    onAdopted() {
      chat.reset();
      topics().viewChanged();
    },
    register: (agent) => registerAgent(agent),
  });
  const ownInvites = {
    agents,
    operatorSlug: () => operator.session()?.self.slug ?? null,
    signAs: createAgentSigner({
      account: (id) => fleet.account(id),
      openParts,
      layout,
      clock,
      random,
      log,
    }),
  };
  const registerAgent = createRegisterAgent({
    operator,
    openParts,
    registrations: identity.registrations,
    homeSpace: createHomeSpace({
      operator,
      log,
      acceptInvite: (agentId, spaceId) => acceptOwnInvite(ownInvites, agentId, spaceId),
    }),
    enrol: createEnrolAgent({ agents, disk, layout, clock }),
    onRegistered: () => {
      fleet.apply();
      chat.roomsChanged();
    },
  });
  const contactQuestions = new ContactQuestions({
    clock,
    log,
    problems,
    ask: (question, signal) => approvals.ask(question, signal),
    decidedAt: (contact) => contacts.decidedAt(contact),
    decide: (contact, decision) => contacts.record(contact, decision),
  });
  const contacts = new Contacts({
    clock,
    approvals,
    questions: contactQuestions,
    operator: () => operator.session(),
    holders: () => contactHolders(agents, fleet),
    isEmbedded: relay.isOurs,
  });
  const reads = new OutsideReads((agentId) => outsideReader(fleet, agentId));
  const { version } = ports;
  const data = createDataService({
    settings,
    layout,
    log,
    addSecret,
    storeOf: (agentId) => fleet.post(agentId)?.store ?? null,
    reads,
  });
  const ownSetup: OwnSetupDeps = {
    agents,
    applyAgents: () => fleet.apply(),
    chooseModel: models.choose,
    disk,
    folders,
  };
  const mcp = createMcpAccess({ layout, version, clock, log, addSecret });
  const mcpCalls = async () => {
    const [{ createAgentToolCalls }, { outsideTools }, { ownSetupTools }] = await Promise.all([
      import('./mcp/agent-tool-calls.ts'),
      import('./mcp/outside-tools.ts'),
      import('./mcp/own-setup.ts'),
    ]);
    const outside: OutsideToolsDeps = {
      chatOf: async (agentId) => (await fleet.post(agentId)?.hands?.messaging()) ?? null,
      tasks: tasksOfAgent,
      folders,
      disk,
      clock,
      ownSetup: (agent) => ownSetupTools(ownSetup, agent),
    };
    return createAgentToolCalls({
      agents,
      toolsOf: (agent) => outsideTools(outside, agent),
      gate: () => approvals.gate(),
      reads,
      clock,
    });
  };
  const context: HostContext = {
    ports,
    layout,
    disk,
    problems,
    secrets,
    settings,
    auth,
    proxy,
    relay,
    bridge: buildBridge({
      ...shared,
      agents,
      secrets,
      operator,
      fleet,
      chat,
      openParts,
      note: (entry) => approvals.note(entry),
    }),
    data,
    mcp,
    contacts,
    operator,
    agents,
    models,
    fleet,
    chat,
    invites,
    ownInvites,
    approvals,
    usage,
    tasks,
    workflows,
    workflowFiles,
    identity,
    registerAgent,
    work,
    logs,
    schedules,
    openParts,
    viewChanged: () => topics().viewChanged(),
  };
  const turnStores = createTurnStores({ clock, log, layout, fleet, openParts: context.openParts });
  const refreshRooms = () => chat.refreshRooms();
  const handlers = {
    ...createApprovalHandlers({
      approvals,
      agents,
      policies,
      clock,
      auditFolder: layout.audit,
      loadCrypto: ports.loadCrypto,
    }),
    ...createShareHandlers({
      approvals,
      agents,
      chat,
      self,
      clock,
      random,
    }),
    ...createWorkflowRows({
      workflows,
      files: workflowFiles,
      secrets,
      openParts: context.openParts,
      clock,
      operatorName: () => parties.approverName(null, null),
    }),
    ...createHistoryHandlers({ agents, chat, fleet, clock, self }),
    ...createTaskHandlers({ agents: taskAgents, approvals, clock, rooms: taskRooms, settings, tasks }),
    ...createScheduleHandlers({ agents: taskAgents, clock, random, rooms: taskRooms, schedules, settings }),
    ...createTurnHandlers({
      pages: new TurnPages({ agents, clock, stores: turnStores, views: turnViews, live: work, refreshRooms }),
      turns: createTurnFinder({ agents, stores: turnStores, refreshRooms }),
      views: turnViews,
      live: work,
      approvals,
      logs,
    }),
  };
  return { context, handlers, mcpCalls, closeServers: opener.close };
}

export type BuiltContext = ReturnType<typeof buildContext>;

async function openAll(
  open: HostContext['openParts'],
  trust: OperatorTrust,
  {
    usage,
    approvals,
    tasks,
    workflows,
    schedules,
  }: Pick<HostContext, 'usage' | 'approvals' | 'tasks' | 'workflows' | 'schedules'>,
): Promise<Result<OpenParts>> {
  const parts = await open();
  if (!parts.ok) return parts;
  await usage.open(parts.value);
  trust.open(parts.value);
  await approvals.open(parts.value);
  await tasks.open(parts.value);
  await schedules.open();
  await workflows.open(parts.value);
  return parts;
}

/** Running agents only. */
function contactHolders(agents: AgentStore, fleet: Fleet): readonly ContactHolder[] {
  return agents.list().flatMap(({ id, lastGood }) => {
    const contacts = fleet.post(id)?.hands?.contacts;
    return contacts && lastGood ? [{ id, serverUrl: lastGood.puffo_core.server_url, contacts }] : [];
  });
}

function outsideReader(fleet: Fleet, agentId: string): OutsideReader | null {
  const { hands, store } = fleet.post(agentId) ?? {};
  return hands && store ? { store, audience: hands.audience } : null;
}

function chatAgents(summaries: Readonly<Record<string, AgentSummary>>, fleet: Fleet) {
  return Object.values(summaries).flatMap(({ id, slug, displayName }) => {
    if (!slug) return [];
    const post = fleet.post(id);
    return [
      { id, slug, displayName, store: post?.store ?? null, working: post?.working ?? new Set<string>() },
    ];
  });
}

const tellDispute =
  (problems: HostContext['problems']): ServersDeps['onDispute'] =>
  ({ id, name }, open) => {
    if (!open) return problems.clear(`downgraded-${id}`);
    problems.set(`downgraded-${id}`, 'error', {
      message: `The server says that #${name || id} is not encrypted any more. This computer knows it as encrypted, so nothing is sent there in the clear.`,
      hint: 'Ask the others in another way. To talk in the clear, make a new channel that is not encrypted.',
    });
  };

function createOpener(
  deps: Pick<RegistryStoreDeps, 'layout' | 'watchStore'> & Pick<HostContext, 'problems' | 'ports'>,
  secrets: HostContext['secrets'],
  relay: HostContext['relay'],
): { open(): Promise<Result<OpenParts>>; close(): void } {
  let servers: Servers | null = null;
  const keys = currentKeys(secrets);
  return {
    async open() {
      if (secrets.state() !== 'open') return err(appError('locked', 'Your secrets are locked.'));
      const crypto = await deps.ports.loadCrypto();
      if (!crypto.ok) return crypto;
      const { createServers, createServerStores } = await import('./servers.ts');
      const { layout, watchStore, problems } = deps;
      const { clock, log } = deps.ports;
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
    close() {
      servers?.stop();
      servers = null;
    },
  };
}
