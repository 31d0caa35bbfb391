import type { AgentSummary, HostView } from '../contract/model.ts';
import type { Result } from '../contract/result.ts';
import type { Scope } from '../core/lib/scope.ts';
import { realPath } from '../platform/real-path.ts';
import type { LoadedAgent } from '../services/agent-store/agent-types.ts';
import { createDisk } from '../services/disk/disk.ts';
import { type AgentViewFacts, collectFacts, configInForce, viewAgent } from './agents/agent-view.ts';
import { createAgentPolicies } from './approvals/agent-policies.ts';
import { createOperatorTrust } from './approvals/operator-trust.ts';
import { waitsOfTurn } from './approvals/past-approvals.ts';
import { createWindowLock } from './auth/window-lock.ts';
import { buildAgentWork } from './build-agent-work.ts';
import { buildApprovals } from './build-approvals.ts';
import { buildContacts } from './build-contacts.ts';
import { buildEntryPoints } from './build-entry-points.ts';
import { buildFleetHooks } from './build-fleet-hooks.ts';
import { buildHarnessProcesses } from './build-harness-processes.ts';
import { buildHostView } from './build-host-view.ts';
import { buildIdentity } from './build-identity.ts';
import { buildMcpServers } from './build-mcp-servers.ts';
import { buildOperator, type OperatorParts } from './build-operator.ts';
import { buildRegistration } from './build-registration.ts';
import { buildSettings } from './build-settings.ts';
import { buildTasks, type TaskParts } from './build-tasks.ts';
import { buildUndo } from './build-undo.ts';
import { buildUsage } from './build-usage.ts';
import { buildWorkflows } from './build-workflows.ts';
import { Chat } from './chat/chat.ts';
import { chatAgents } from './chat/chat-agents.ts';
import type { ChatSelf } from './chat/self.ts';
import type { Contacts } from './contacts/contacts.ts';
import { createTopics } from './feed/topics.ts';
import { buildFleet } from './fleet/build-fleet.ts';
import type { WorkToolsDeps } from './fleet/work-tools.ts';
import type { HostPorts } from './host-ports.ts';
import type { OpenParts } from './identity/operator.ts';
import { layoutOf } from './layout.ts';
import { createResourceServers } from './mcp-servers/resource-servers.ts';
import { createProblems } from './problems.ts';
import { createEmbeddedRelay } from './relay/embedded-relay.ts';
import { createSchedules } from './schedules/schedules.ts';
import { createVaultParts } from './vault/vault-parts.ts';
import { createLiveWork, type LiveWork } from './work/live-work.ts';
import { createLogs } from './work/logs.ts';
import { createTurnViews, type TurnViews } from './work/turn-view.ts';

/** ms that running turns have to end when the host stops. */
const turnGraceMs = 6_000;

/** The features of one host. Only the composition root knows this type. */
export type Features = ReturnType<typeof buildFeatures>;

/**
 * Builds the features of a host from top to bottom; nothing runs yet. Each adds its end to `scope`, so they stop in
 * the reverse order. A closure over a later constant joins two features that need each other; it must not run
 * before this function returns.
 */
export function buildFeatures(ports: HostPorts, scope: Scope, state: () => HostView['state']) {
  const { home, clock, log, random } = ports;
  const layout = layoutOf(home);
  const disk = createDisk(random);

  // The feed and the problems that clients see.
  const topics = createTopics({
    clock,
    view: () => view(),
    agents: { list: () => agents.list(), get: (id) => agents.get(id) },
    summarize: (agent) => summarize(agent),
    features: {
      rooms: (sink) => chat.followRooms(sink),
      room: (sink, id) => chat.roomTopic(id).subscribe(sink),
      approvals: (sink) => approvals.topic.subscribe(sink),
      work: (sink) => work.follow(sink),
      logs: (sink) => logs.follow(sink),
      tasks: (sink) => tasks.feed.follow(sink),
      task: (sink, id) => tasks.feed.followTask(Number(id), sink),
      schedules: (sink) => schedules.follow(sink),
      runs: (sink) => workflows.topics.followAll(sink),
      run: (sink, id) => workflows.topics.follow(id, sink),
      undo: (sink) => followUndo(sink),
    },
  });
  scope.add('topics', topics.stop);
  const problems = createProblems(clock, topics.viewChanged);

  // Secrets, settings, agents' files.
  const stored = buildSettings({ ports, layout, disk, problems, onViewChanged: topics.viewChanged });
  const { secrets, settings, agents, auth, demo, models, watchStore } = stored;
  scope.add('plan pauses', () => stored.pauses.stop());
  const shared = { ports, layout, disk, problems, settings };

  // The operator: server, account, chat.
  const logs = createLogs(clock, ports.logs);
  scope.add('logs', () => logs.stop());
  const work: LiveWork = createLiveWork({ clock, summaries: (turns) => turnViews.live(turns) });
  scope.add('work', () => work.stop());
  const self = (): ChatSelf | null => operator.session()?.self ?? null;
  const chat: Chat = new Chat({
    clock,
    log,
    invites: () => invites.all(),
    self,
    agents: () => chatAgents(topics.agents.state(), fleet),
    questionIn: (agentId, messageId) => approvals.questionIn(agentId, messageId),
  });
  scope.add('chat', () => chat.stop());
  const relay = createEmbeddedRelay({ ports, layout, disk, problems });
  scope.add('relay', () => relay.stop());
  const vaultParts = createVaultParts({ ports, layout, watchStore, problems, secrets, relay });
  scope.add('servers', () => vaultParts.closeServers());
  const { operator, invites }: OperatorParts = buildOperator(
    { clock, random, log, layout, disk, problems, watchStore, chat },
    {
      onOnline: () => identity.online(),
      onRooms: () => workflows.roomsChanged(),
      onHeld: ({ senderSlug, envelopeId }) => identity.peers.held(senderSlug, envelopeId),
      onContact: (slug) => identity.peers.asked(slug),
      onViewChanged: topics.viewChanged,
    },
  );
  scope.add('operator', () => operator.stop());

  // The agents: budgets, what they may do, the fleet.
  const policies = createAgentPolicies({ agents, settings, home, env: ports.env });
  const trust = createOperatorTrust({ agents, layout, operator });
  const usage = buildUsage({
    ...shared,
    agents,
    models,
    watchStore,
    approvals: {
      note: (entry) => void approvals.note(entry),
      attended: policies.isAttended,
      ask: (question, signal) => approvals.ask(question, signal),
      questionOf: (id, call) => approvals.questionOf(id, call),
    },
    onRecorded: (id) => topics.agentChanged(id),
  });
  scope.add('usage', () => usage.close());
  const facts = (agent: LoadedAgent): AgentViewFacts => collectFacts({ fleet, usage, models }, agent);
  const summarize = (agent: LoadedAgent): AgentSummary => viewAgent(facts(agent));
  const turnViews: TurnViews = createTurnViews({
    agents,
    chat,
    facts: {
      spend: (turnIds) => usage.ofTurns(turnIds),
      waits: (agentId, turnId) => waitsOfTurn(approvals, agentId, turnId),
    },
    post: (id) => fleet.post(id),
    liveTurn: (id) => work.turn(id),
    self,
  });
  const tasksOfAgent: WorkToolsDeps['tasks'] = (id) => tasks.ofAgent(id);
  const { askModel, workflowFiles, folders, sharedTools } = buildAgentWork({
    ...shared,
    agents,
    models,
    spend: usage.gate,
    workflows: { runs: () => workflows.runs(), begun: () => workflows.begun() },
    tasksOfAgent,
    covered: () => covered(),
    serverTools: (...use) => mcpServers.toolsFor(...use),
  });
  const { restorePoints, points, undo, snapshots, followUndo, notesOf, heedUndo, covered } = buildUndo(
    {
      ...shared,
      watchStore,
      openParts: () => openParts(),
      note: (entry) => approvals.note(entry),
      post: (id) => fleet.post(id),
      workspace(id) {
        const agent = agents.get(id);
        return agent && realPath(folders.roots(agent, configInForce(agent)).cwd);
      },
      isAgent: (id) => agents.get(id) !== null,
    },
    scope,
  );
  // Stops after the fleet, whose turns end their programs themselves.
  const harness = buildHarnessProcesses({ ...shared, agents }, scope);
  const { mcpServers, mcpSources } = buildMcpServers({
    ...shared,
    secrets,
    folders,
    agents,
    askModel,
    isAttended: policies.isAttended,
    processes: harness.processes,
    ask: (question, signal) => approvals.ask(question, signal),
  });
  scope.add('MCP servers', () => mcpServers.stop());
  const programs = {
    ...harness,
    points,
    sandbox: async () => (await sharedTools()).commands.sandbox,
    data: (id: string) => entryPoints.data.reader(id),
  };
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
    harness: programs,
    contacts: () => contacts,
    trust,
    operatorServer: () => operator.session()?.identity.serverUrl ?? null,
    notesOf,
    ...buildFleetHooks(
      { ...ports, problems, settings, agents, topics, work, chat, operator, heedUndo },
      () => ({ approvals, consent, tasks, workflows, identity, mcp }),
    ),
  });
  const { approvals, consent, operatorsRoom } = buildApprovals(
    { ...shared, agents, operator, fleet, watchStore, trust, policies },
    {
      answerer: (approval, answer) => workflows.answerer(approval, answer),
      onChanged: (id) => topics.agentChanged(id),
      onDecided: (approval) => tasks.decided(approval),
    },
  );
  scope.add('approvals', () => approvals.close());
  scope.add('fleet', () => fleet.stop(turnGraceMs));

  // Durable work: tasks, workflows, schedules. Their steps finish before anything else stops.
  const { tasks, taskAgents, taskRooms }: TaskParts = buildTasks({
    ...shared,
    agents,
    fleet,
    watchStore,
    approvals,
    workflows: { runs: () => workflows.runs() },
    self,
    folders,
  });
  scope.add('tasks', () => tasks.stop(0));
  scope.add('open questions', () => approvals.closing());
  const { workflows, parties } = buildWorkflows({
    ...shared,
    agents,
    operator,
    fleet,
    watchStore,
    approvals,
    operatorsRoom,
    tasks,
    workflowFiles,
    askModel,
  });
  scope.add('workflows', () => workflows.stop());
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
    servers: createResourceServers(mcpServers, (id) => agents.get(id) ?? null),
    tasks,
  });
  scope.add('agents', () => agents.stop());

  // Identities and contacts.
  const openParts = async (): Promise<Result<OpenParts>> => {
    const parts = await vaultParts.open();
    if (!parts.ok) return parts;
    await usage.open(parts.value);
    trust.open(parts.value);
    await approvals.open(parts.value);
    await tasks.open(parts.value);
    await schedules.open();
    await workflows.open(parts.value);
    return parts;
  };
  const contacts: Contacts = buildContacts({
    clock,
    log,
    problems,
    agents,
    operator,
    fleet,
    approvals,
    isEmbedded: relay.isOurs,
  });
  scope.add('contacts', () => contacts.stop());
  const identity = buildIdentity({
    ...shared,
    agents,
    secrets,
    operator,
    openParts,
    fleet,
    onAdopted() {
      chat.reset();
      topics.viewChanged();
    },
    register: (agent) => registerAgent(agent),
  });
  const { registerAgent, ownInvites } = buildRegistration({
    clock,
    random,
    log,
    layout,
    disk,
    agents,
    operator,
    fleet,
    openParts,
    registrations: identity.registrations,
    onRegistered: () => {
      fleet.apply();
      chat.roomsChanged();
    },
  });
  scope.add('identity', () => identity.stop());

  // Entry points of other programs.
  const entryPoints = buildEntryPoints(
    {
      ...shared,
      agents,
      secrets,
      models,
      operator,
      fleet,
      folders,
      chat,
      usage,
      approvals,
      tasksOfAgent,
      openParts,
    },
    scope,
  );
  const { mcp } = entryPoints;
  // Logins wait for a browser, so they end with the entry points.
  scope.add('logins', () => auth.stop());

  const windowLock = createWindowLock({ clock, random, disk, path: layout.windowLock, vault: secrets });
  const view: () => HostView = buildHostView({
    ...shared,
    topics,
    secrets,
    demo,
    relay,
    operator,
    invites,
    approvals,
    usage,
    fleet,
    state,
  });
  return {
    ...shared,
    ...stored,
    topics,
    view,
    windowLock,
    facts,
    summarize,
    logs,
    work,
    self,
    chat,
    relay,
    operator,
    openParts,
    invites,
    ownInvites,
    policies,
    usage,
    turnViews,
    workflowFiles,
    fleet,
    harness: programs,
    mcpServers,
    mcpSources,
    folders,
    restorePoints,
    undo,
    snapshots,
    approvals,
    taskAgents,
    taskRooms,
    tasks,
    workflows,
    parties,
    schedules,
    contacts,
    identity,
    registerAgent,
    ...entryPoints,
    closeServers: vaultParts.closeServers,
  };
}
