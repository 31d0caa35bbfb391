import { appError } from '../contract/errors.ts';
import type { DoctorCheck, HostView } from '../contract/model.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { backoffMs } from '../core/lib/backoff.ts';
import type { Timer } from '../core/ports.ts';
import { newEnvelopeId } from '../core/puffo/ids.ts';
import type { HostLock } from '../services/db/host-lock.ts';
import { createLifeHandlers } from './agents/agent-handlers.ts';
import { collectFacts, type SummarizeAgent, viewAgent } from './agents/agent-view.ts';
import { createAgentCreator } from './agents/create-agent.ts';
import { createAgentEditor } from './agents/edit-agent.ts';
import { createEditHandlers } from './agents/edit-handlers.ts';
import { createFirstPicture } from './agents/first-picture.ts';
import { createPictures } from './agents/pictures.ts';
import { createRegisterNewAgent } from './agents/register-new-agent.ts';
import { createSoulHandlers } from './agents/soul-handlers.ts';
import { createWorkHandlers } from './agents/work-handlers.ts';
import { createWorkspaceHandlers } from './agents/workspace-handlers.ts';
import { createAuthHandlers } from './auth/auth-handlers.ts';
import { createBackupHandlers } from './backup/backup-handlers.ts';
import {
  agentsHeld,
  type Begun,
  closeFolder,
  createVaultStart,
  followRelay,
  startConfigured,
} from './boot.ts';
import { createBridgeHandlers } from './bridge/bridge-handlers.ts';
import { buildBundleHandlers } from './build-bundle-handlers.ts';
import { type BuiltContext, buildContext, createHostTopics } from './build-context.ts';
import { buildDemoParts, type DemoParts } from './build-demo.ts';
import { buildSpaceHandlers } from './build-space-handlers.ts';
import { createChatHandlers } from './chat/chat-handlers.ts';
import { createConfigHandlers } from './config-handlers.ts';
import type { HostContext } from './context.ts';
import { createDataHandlers } from './data-service/data-handlers.ts';
import { demoFile } from './demo/demo-file.ts';
import { desktopHandlers } from './desktop-handlers.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { createFileHandlers } from './files/file-handlers.ts';
import { createUploads } from './files/uploads.ts';
import { finishSteps } from './finish-steps.ts';
import { createAway } from './home/away.ts';
import { createHomeHandlers } from './home/home-handlers.ts';
import { createHostHandlers } from './host-handlers.ts';
import type { Host, HostPorts } from './host-ports.ts';
import { viewHost, viewOperator } from './host-view.ts';
import { createContactHandlers } from './identity/contact-handlers.ts';
import { createIdentityHandlers } from './identity/identity-handlers.ts';
import { createOwnProfileHandlers } from './identity/own-profile.ts';
import { createMcpHandlers } from './mcp/mcp-handlers.ts';
import { createMemoryHandlers } from './memory/memory-handlers.ts';
import { createModelListHandlers } from './models/model-lists.ts';
import { createProxyHandlers } from './proxy/proxy-handlers.ts';
import { createSetupHandlers } from './setup-handlers.ts';
import { chooseSocketPath } from './socket-path.ts';
import { takeFolder } from './take-folder.ts';
import type { Topics } from './topics.ts';
import { openSocketServer, type SocketServer } from './transport/socket-server.ts';
import type { WebServer } from './transport/web-server.ts';
import {
  createLoginRefreshHandlers,
  createPrimerHandlers,
  createUpdateHandlers,
} from './upkeep/upkeep-handlers.ts';
import { createUsageHandlers } from './usage/usage-handlers.ts';
import { watchSettings } from './watch-settings.ts';
import type { Watchdog } from './watchdog/watchdog.ts';

/** ms after which the host stops waiting for its parts. */
const stopLimitMs = 9_500;
const startAgainPolicy = { firstMs: 5_000, maxMs: 300_000 };
const fleetGraceMs = 6_000;
const startGraceMs = 2_000;

/** Methods that do not wait for the configured parts to start. */
const atOnce: readonly string[] = ['host.view', 'host.stop', 'host.unlock', 'config.get'];

/**
 * The composition root: locks the folder, builds the parts, opens the socket and starts the configured parts.
 * Resolves once the host answers; `ready` reports when the rest has started.
 */
export async function createHost(ports: HostPorts): Promise<Result<Host>> {
  const lock = ports.mode === 'look' ? ok(null) : await takeFolder(ports);
  if (!lock.ok) return lock;
  const host = new RunningHost(ports, lock.value);
  const opened = await host.openDoors();
  if (!opened.ok) {
    await host.stop('could not start');
    return opened;
  }
  host.begin();
  return ok(host);
}

const summarizeWith =
  (context: HostContext): SummarizeAgent =>
  (agent) =>
    viewAgent(collectFacts(context, agent));

async function examineHost(context: HostContext, view: HostView): Promise<readonly DoctorCheck[]> {
  // Loaded on demand to keep startup fast.
  const [{ examine }, { checkHost }] = await Promise.all([
    import('./doctor/examine.ts'),
    import('./doctor/host-checks.ts'),
  ]);
  const { agents, problems, ports } = context;
  const machine = await examine(context, view.vault.kind);
  return [
    ...machine,
    ...checkHost({ mode: ports.mode, problems, agents, summarize: summarizeWith(context) }, view),
  ];
}

export function agentHandlers(context: HostContext) {
  const { agents, fleet, disk, secrets, models, operator, identity } = context;
  const { profiles, registrations } = identity;
  const { clock, mode } = context.ports;
  const summarize = summarizeWith(context);
  const register = createRegisterNewAgent({
    mode,
    agents,
    operator,
    registrations,
    registerAgent: context.registerAgent,
  });
  const uploadPicture = createFirstPicture({ agents, fleet, profiles, clock, runsAgents: mode === 'full' });
  return {
    ...createLifeHandlers({
      agents,
      fleet,
      facts: (agent) => collectFacts(context, agent),
      apiKeys: secrets.apiKeys,
      picture: createPictures({ agents, fleet, operator }).agent,
    }),
    ...createEditHandlers({
      create: createAgentCreator({ agents, secrets, clock, fleet, register, uploadPicture }),
      edit: createAgentEditor({ agents, disk, clock, profiles, onEdited: () => context.chat.roomsChanged() }),
      runtime: { agents, secrets, fleet, models },
      summarize,
    }),
    ...createWorkHandlers({ agents, fleet }),
    ...createSoulHandlers({ agents, disk, profiles }),
    ...createWorkspaceHandlers({ agents, fleet }),
  };
}

class RunningHost implements Host {
  readonly home: string;
  readonly ready: Promise<void>;
  readonly stopped: Promise<string>;
  readonly #ports: HostPorts;
  /** `null` in the mode `look`. */
  readonly #lock: HostLock | null;
  readonly #built: BuiltContext;
  readonly #topics: Topics;
  readonly #dispatch: Dispatch;
  readonly #startedAt: number;
  #begun = false;
  #state: HostView['state'] = 'starting';
  #socket: SocketServer | null = null;
  #web: WebServer | null = null;
  #watchdog: Watchdog | null = null;
  #stopping: Promise<void> | null = null;
  /** Aborted by a second request to stop. */
  readonly #stopNow = new AbortController();
  #configuring: Promise<void> = Promise.resolve();
  #again: Timer | null = null;
  #attempts = 0;
  #unwatch: () => void = () => undefined;
  #unrest: () => void = () => undefined;
  #tellReady: () => void = () => undefined;
  #tellStopped: (reason: string) => void = () => undefined;

  constructor(ports: HostPorts, lock: HostLock | null) {
    this.home = ports.home;
    this.#ports = ports;
    this.#lock = lock;
    this.#startedAt = ports.clock.now();
    this.ready = new Promise((resolve) => {
      this.#tellReady = resolve;
    });
    this.stopped = new Promise((resolve) => {
      this.#tellStopped = resolve;
    });
    this.#topics = createHostTopics({
      clock: ports.clock,
      context: () => this.#context,
      view: () => this.#view(),
    });
    this.#built = buildContext(ports, () => this.#topics);
    this.#dispatch = createDispatch(this.#handlers(), ports.log);
  }

  async call(...[principal, method, input]: Parameters<Host['call']>): Promise<Result<unknown>> {
    if (this.#stopping && method !== 'host.view' && method !== 'host.stop')
      return err(appError('unavailable', 'Kennel is stopping.'));
    if (!atOnce.includes(method)) await this.ready;
    return this.#dispatch(principal, method, input);
  }

  subscribe(...[principal, topic, sink]: Parameters<Host['subscribe']>): Result<() => void> {
    if (principal.kind !== 'owner-ui' && principal.kind !== 'owner-cli') {
      return err(appError('forbidden', 'A client of this kind may not listen here.'));
    }
    if (this.#stopping) return err(appError('unavailable', 'Kennel is stopping.'));
    return this.#topics.subscribe(topic, sink);
  }

  webLink(): string | null {
    return this.#web?.newLink() ?? null;
  }

  stop(reason: string): Promise<void> {
    if (this.#stopping) this.#stopNow.abort();
    this.#stopping ??= this.#shutDown(reason);
    return this.#stopping;
  }

  /** The command line's socket opens first; from then on the host answers. */
  async openDoors(): Promise<Result<void>> {
    const { mode, log } = this.#ports;
    if (mode !== 'full') return ok(undefined);
    const path = chooseSocketPath(this.#context.layout);
    if (!path.ok) return path;
    const socket = await openSocketServer({ path: path.value, api: this, log });
    if (!socket.ok) return socket;
    this.#socket = socket.value;
    return this.#lock?.publish(path.value) ?? ok(undefined);
  }

  async #servePage(): Promise<void> {
    const { rendererDir, clock, log } = this.#ports;
    if (rendererDir === null || this.#stopping) return;
    const { openWebServer } = await import('./transport/web-server.ts');
    const web = await openWebServer({ api: this, rendererDir, clock, log });
    if (web.ok) this.#web = web.value;
    else this.#context.problems.set('web', 'warning', web.error);
  }

  /** The watchdog against hangs and the heap trimmer, loaded after everything else has started. */
  async #watchItself(): Promise<void> {
    const { startWatchdog } = await import('./watchdog/watchdog.ts');
    const { startHeapRest } = await import('../services/heap/heap-rest.ts');
    if (this.#stopping) return;
    const { clock, env, relaunch, log } = this.#ports;
    this.#watchdog = startWatchdog({ clock, logPath: this.#context.layout.log, env, relaunch });
    this.#unrest = startHeapRest({ clock, log, isQuiet: () => this.#isQuiet() });
  }

  begin(): void {
    this.#begun = true;
    this.#start().catch((error: unknown) => {
      this.#ports.log.error('start_failed', { error });
      this.#context.problems.set('start', 'error', {
        message: 'Kennel could not start everything; the log says why.',
      });
      this.#becomes('ready');
      this.#tellReady();
    });
  }

  get #context(): HostContext {
    return this.#built.context;
  }

  #handlers() {
    const context = this.#context;
    const { agents, auth, disk, secrets, settings } = context;
    const { clock } = this.#ports;
    const uploads = createUploads(this.#ports);
    const self = () => context.operator.session()?.self ?? null;
    const agent = agentHandlers(context);
    const { approvals, chat, fleet } = context;
    const away = createAway({ agents, approvals, chat, clock, fleet, self });
    return {
      ...this.#built.handlers,
      ...desktopHandlers,
      ...createHostHandlers({
        view: () => {
          this.#topics.flush();
          return this.#view();
        },
        pages: () => this.#web,
        stop: (reason) => void this.#ports.clock.after(0, () => void this.stop(reason)),
        unlock: (passphrase) => context.secrets.unlock(passphrase),
        resume: () => this.#startConfigured(),
        examine: (view) => examineHost(context, view),
      }),
      ...createSetupHandlers({
        mode: this.#ports.mode,
        problems: context.problems,
        demo: this.#demo(),
        signUps: context.identity.signUps,
        relay: context.relay,
        relayStore: context.layout.relayStore,
      }),
      ...createIdentityHandlers(context.identity, context.agents),
      ...createContactHandlers(context.contacts),
      ...createOwnProfileHandlers({
        operator: context.operator,
        profiles: context.identity.profiles,
        picture: createPictures(context).own,
        onChanged() {
          context.chat.roomsChanged();
          context.viewChanged();
        },
      }),
      ...createConfigHandlers(context),
      ...createAuthHandlers({ auth, secrets, settings, clock }),
      ...createProxyHandlers(context.proxy),
      ...createBridgeHandlers({ agents, bridge: context.bridge, apiKeys: secrets.apiKeys }),
      ...buildBundleHandlers(context, {
        register: context.registerAgent,
        summarize: summarizeWith(context),
      }),
      ...createBackupHandlers(this.#ports),
      ...createPrimerHandlers({ agents, disk, home: this.home, clock }),
      ...createLoginRefreshHandlers({ agents, summarize: summarizeWith(context), secrets, auth, clock }),
      ...createUpdateHandlers({ version: this.#ports.version, fetch: this.#ports.fetch, settings }),
      ...createDataHandlers(context),
      ...createMcpHandlers({ agents: context.agents, mcp: context.mcp, calls: this.#built.mcpCalls }),
      ...agent,
      ...createUsageHandlers(context),
      ...createHomeHandlers({ away, agents, edit: agent, ports: this.#ports }),
      ...createModelListHandlers({
        agents: context.agents,
        settings: context.settings,
        apiKeys: context.secrets.apiKeys,
        token: context.auth.token,
        clock: this.#ports.clock,
        fetch: this.#ports.fetch,
      }),
      ...createMemoryHandlers({ agents, disk, clock }),
      ...createFileHandlers({ uploads, self, onChanged: (id) => context.chat.settled(id) }),
      ...buildSpaceHandlers(context),
      ...createChatHandlers({
        chat: context.chat,
        clock: this.#ports.clock,
        newEnvelopeId: () => newEnvelopeId(this.#ports.random),
        uploads,
        self,
        agents: () => {
          this.#topics.flush();
          return Object.values(this.#topics.agents.state());
        },
        serverRows: async (target, limit) => {
          const session = context.operator.session();
          const relay = context.relay.current();
          if (!session || relay?.url !== session.record.serverUrl) return null;
          const room = target.kind === 'dm' ? { dm: [session.self.slug, target.slug] as const } : target;
          return relay.serverView(room, limit);
        },
      }),
    };
  }

  #demo(): DemoParts {
    const { approvals, usage, schedules, tasks, workflows, registerAgent } = this.#context;
    return buildDemoParts(this.#context, {
      register: registerAgent,
      closeServers: () => this.#built.closeServers(),
      async eraseStores() {
        const forgotten = await approvals.erase();
        const spent = forgotten.ok ? usage.erase() : forgotten;
        await schedules.forget();
        const untasked = spent.ok ? await tasks.erase() : spent;
        return untasked.ok ? workflows.erase() : untasked;
      },
    });
  }

  #view(): HostView {
    const { approvals, fleet, operator, problems, relay, secrets, usage } = this.#context;
    const demo = demoFile(this.#context).read();
    return viewHost({
      ports: this.#ports,
      state: this.#state,
      startedAt: this.#startedAt,
      demo: demo.ok ? demo.value : null,
      agents: this.#topics.agents.state(),
      vault: secrets.view(),
      relay: { embedded: relay.exists(), url: relay.current()?.url ?? null },
      operator: viewOperator(operator),
      waiting: approvals.waitingFor(null),
      spentToday: usage.spentToday(null),
      brakes: [...fleet.brakes()],
      problems: [...problems.list()],
    });
  }

  #isQuiet(): boolean {
    const agents = Object.values(this.#topics.agents.state());
    return agents.every(({ dot, life }) => dot !== 'working' && life !== 'starting');
  }

  #becomes(state: HostView['state']): void {
    this.#state = state;
    this.#topics.viewChanged();
  }

  async #start(): Promise<void> {
    const { mode, log } = this.#ports;
    const { agents, fleet, settings, problems, proxy, bridge } = this.#context;
    if (mode !== 'full') {
      this.#topics.allAgentsChanged();
      this.#becomes('ready');
      return this.#tellReady();
    }
    this.#context.data.begin();
    await closeFolder({ ...this.#context, log });
    agents.onChange((ids) => {
      for (const id of ids) {
        this.#topics.agentChanged(id);
        this.#context.tasks.agentChanged(id);
      }
      fleet.apply();
    });
    agents.start();
    this.#topics.allAgentsChanged();
    await this.#startConfigured();
    this.#context.mcp.begin((principal, method, input) => this.call(principal, method, input));
    this.#context.bridge.begin((principal, method, input) => this.#dispatch(principal, method, input));
    this.#context.schedules.begin((principal, method, input) => this.call(principal, method, input));
    this.#unwatch = watchSettings({
      settings,
      problems,
      clock: this.#ports.clock,
      listeners: [proxy, bridge],
    });
    await this.#servePage();
    await this.#watchItself();
    log.info('host_ready', { state: this.#state, agents: agents.list().length });
    this.#tellReady();
    const demo = demoFile(this.#context).read();
    // An interrupted demo is completed at the next start.
    if (this.#state === 'ready' && demo.ok && demo.value?.complete === false) {
      void this.#dispatch({ kind: 'owner-cli' }, 'setup.tryDemo', {});
    }
  }

  /** Runs one after the other; failed parts are retried with back-off. */
  #startConfigured(): Promise<void> {
    this.#configuring = this.#configuring
      .catch(() => undefined)
      .then(async () => {
        this.#again?.cancel();
        if (this.#stopping) return;
        const begun = await this.#startParts();
        if (this.#stopping) return;
        this.#becomes(begun.state);
        this.#topics.allAgentsChanged();
        if (!begun.again) return;
        const { clock, random, log } = this.#ports;
        const ms = backoffMs(startAgainPolicy, this.#attempts, random.fraction());
        this.#attempts += 1;
        this.#again = clock.after(ms, () => {
          this.#startConfigured().catch((error: unknown) => log.error('start_again_failed', { error }));
        });
      });
    return this.#configuring;
  }

  #startParts(): Promise<Begun> {
    const { agents, chat, fleet, identity, operator, problems, relay, secrets, settings } = this.#context;
    const { holdAgents, log } = this.#ports;
    return startConfigured({
      vault: createVaultStart({
        secrets,
        operator,
        relay,
        agents,
        openParts: () => this.#context.openParts(),
      }),
      relay,
      operator,
      problems,
      onRelay: () => followRelay({ relay, agents, problems }),
      onOpen(parts) {
        identity.signUps.begin().catch((error: unknown) => log.error('sign_up_failed', { error }));
        agents.retryKeys();
        settings.reload();
        if (holdAgents) problems.set('held-agents', 'warning', agentsHeld);
        else fleet.begin(parts);
        chat.reset();
      },
    });
  }

  async #shutDown(reason: string): Promise<void> {
    this.#again?.cancel();
    this.#unwatch();
    this.#unrest();
    this.#becomes('stopping');
    this.#ports.log.info('host_stopping', { reason });
    const { clock } = this.#ports;
    // Parts that are still starting must finish before they can stop.
    const settled = Promise.race([
      this.#begun ? this.ready : undefined,
      new Promise<void>((resolve) => clock.after(startGraceMs, resolve, { unref: true })),
    ]);
    await Promise.all([settled, finishSteps({ ...this.#context, ...this.#ports }, this.#stopNow.signal)]);
    const late = new Promise<'late'>((resolve) =>
      clock.after(stopLimitMs, () => resolve('late'), { unref: true }),
    );
    const outcome = await Promise.race([this.#stopParts(), late]);
    if (outcome === 'late') this.#ports.log.warn('host_stop_late', {});
    this.#lock?.release();
    this.#tellStopped(reason);
  }

  /** Reverse order of the start; a part that fails does not stop the others from stopping. */
  async #stopParts(): Promise<void> {
    const { agents, fleet, operator, relay, chat, approvals, usage } = this.#context;
    const steps: (() => unknown)[] = [
      () => this.#web?.close(),
      () => this.#context.auth.stop(),
      () => this.#context.proxy.stop(),
      () => this.#context.bridge.stop(),
      () => this.#context.data.stop(),
      () => this.#context.mcp.stop(),
      () => this.#context.identity.stop(),
      () => this.#context.contacts.stop(),
      () => agents.stop(),
      () => this.#context.workflows.stop(),
      () => approvals.closing(),
      () => this.#context.tasks.stop(0),
      () => fleet.stop(fleetGraceMs),
      () => approvals.close(),
      () => usage.close(),
      () => operator.stop(),
      () => this.#built.closeServers(),
      () => relay.stop(),
      () => chat.stop(),
      () => this.#context.work.stop(),
      () => this.#context.logs.stop(),
      () => this.#topics.stop(),
      () => this.#socket?.close(),
      () => this.#watchdog?.stop(),
    ];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        this.#ports.log.error('stop_step_failed', { error });
      }
    }
  }
}
