import { type AppError, appError } from '../../contract/errors.ts';
import { err, type Result } from '../../contract/result.ts';
import { dmRoomId, dmSlug } from '../../contract/room-id.ts';
import type { Brake } from '../../contract/work.ts';
import { type AgentConfig, isConfigured } from '../../core/agents/agent-config.ts';
import type { BrakeThread } from '../../core/agents/brake.ts';
import { dotOf } from '../../core/agents/status.ts';
import type { DesiredAgent } from '../../core/supervisor/reconcile.ts';
import { createSupervisor } from '../../core/supervisor/supervisor.ts';
import type { LifeReport, Supervisor } from '../../core/supervisor/supervisor-ports.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { atRest, configInForce } from '../agents/agent-view.ts';
import type { LiveAgent } from '../agents/live-agent.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Retirement } from '../identity/retirements.ts';
import { keyChanged } from '../key-changed.ts';
import type { OpenParts } from '../operator.ts';
import { type AgentPost, newPost } from './agent-post.ts';
import type { LaunchDeps, PostEvents } from './launch-agent.ts';
import { createRuntimeFiles, type RuntimeFiles } from './runtime-files.ts';
import { type TurnSink, workerEvents } from './turn-events.ts';

export interface FleetDeps extends Omit<LaunchDeps, 'parts' | 'onBraked'> {
  readonly ports: HostPorts;
  readonly agents: AgentStore;
  onChanged(id: string): void;
  /** One of the tasks it is working on, or `null`. */
  taskOf(id: string): number | null;
  waitingFor(id: string): number;
  onMarks(envelopeIds: readonly string[]): void;
  onOnline(agentId: string): void;
  /** A message stays on the server because its sender's key changed. */
  onHeld(senderSlug: string, envelopeId: string): void;
  readonly turns: readonly TurnSink[];
  /** Call it after a change of something that `host.view` shows about all agents. */
  onViewChanged(): void;
  /** Ends the agent at its server before it is archived or deleted. */
  retire(id: string, account: Account | null): Promise<Retirement>;
  /** For the audit log. */
  onBraked(brake: Brake): void;
}

const withdrawMs = 10_000;
const pollMs = 20;
/** Pause before a failed request for archiving or deletion is tried again. */
const requestRetryMs = 60_000;

/** The agents of this host: which ones should run, which ones run, and their state. */
export class Fleet {
  readonly #deps: FleetDeps;
  readonly #posts = new Map<string, AgentPost>();
  readonly #lives = new Map<string, LifeReport>();
  readonly #supervisor: Supervisor<AgentConfig>;
  /** Agents that must not run because their folders are about to move. */
  readonly #leaving = new Set<string>();
  /** Agents whose request file could not be carried out lately. */
  readonly #failedRequests = new Set<string>();
  readonly #files: RuntimeFiles;
  #parts: OpenParts | null = null;

  constructor(deps: FleetDeps) {
    this.#deps = deps;
    const { clock, random, log } = deps.ports;
    const { settings } = deps.context;
    this.#files = createRuntimeFiles({
      clock,
      log,
      agents: deps.agents,
      look: (id) => {
        const agent = this.#lives.has(id) ? deps.agents.get(id) : null;
        return agent ? this.live(agent) : null;
      },
      heartbeatMs: () => settings.config().runtime_heartbeat_seconds * 1000,
    });
    this.#supervisor = createSupervisor<AgentConfig>({
      launcher: {
        launch: async (agent, hooks) => {
          if (!this.#parts) throw new Error('an agent starts before the vault is open');
          // Loaded with the first agent, to keep startup fast without one.
          const { launchAgent } = await import('./launch-agent.ts');
          const launch = { ...deps, parts: this.#parts, onBraked: () => this.#braked(agent.id) };
          return launchAgent(launch, agent, this.#postEvents(agent.id, agent.config), hooks);
        },
      },
      clock,
      random,
      log,
      onLife: (id, report) => this.#lived(id, report),
    });
  }

  /** Starts the agents once the vault is open. */
  begin(parts: OpenParts): void {
    this.#parts = parts;
    this.#deps.trust.open(parts);
    this.apply();
  }

  /** Ends the agent's open turns; returns false if it has none. */
  stopTurn(id: string): boolean {
    return this.#posts.get(id)?.hands?.stop(null) ?? false;
  }

  sharedTools(): ReturnType<FleetDeps['sharedTools']> {
    return this.#deps.sharedTools();
  }

  /** Threads stopped by the loop brake, oldest first. */
  brakes(): readonly Brake[] {
    return [...this.#posts.values()].flatMap(({ brakes }) => brakes).sort((a, b) => a.at - b.at);
  }

  /**
   * Continues a thread for this agent, and for all own agents in it, stopped or not. Returns false if the
   * thread is not stopped.
   */
  goOn(id: string, thread: BrakeThread): boolean {
    const post = this.#posts.get(id);
    if (!post?.hands?.goOn(thread)) return false;
    const whom = dmSlug(thread.roomId);
    for (const other of this.#posts.values()) {
      if (other === post || (whom !== null && other.slug !== whom)) continue;
      const room = whom === null ? thread.roomId : dmRoomId(post.slug);
      const same = { ...thread, roomId: room };
      if (!other.hands?.goOn(same)) other.hands?.joinRound(same);
    }
    return true;
  }

  /** Starts and stops agents to match the files. */
  apply(): void {
    if (!this.#parts) return;
    const agents = this.#deps.agents.list();
    for (const agent of agents) void this.#honour(agent);
    this.#supervisor.apply(agents.filter((agent) => !this.#leaving.has(agent.id)).flatMap(desire));
  }

  /** Like `withdraw`, and ends the agent at its server too. */
  async retire<T>(id: string, work: () => Result<T>): Promise<Result<T>> {
    if (this.#leaving.has(id))
      return err(appError('conflict', `${id} is being archived or deleted already.`));
    this.#leaving.add(id);
    const retirement = await this.#deps.retire(id, this.account(id)).catch((error: unknown) => {
      this.#deps.ports.log.error('retirement_failed', { agent: id, error });
      return null;
    });
    const done = await this.withdraw(id, work);
    // A folder that was moved away but not removed is gone for the host.
    if (done.ok || this.#deps.agents.get(id) === null) await retirement?.finish();
    else retirement?.cancel();
    return done;
  }

  /** Stops the agent, then runs work that needs its files at rest. */
  async withdraw<T>(id: string, work: () => Result<T>): Promise<Result<T>> {
    this.#leaving.add(id);
    this.apply();
    try {
      await this.#until(() => this.#supervisor.lifeOf(id) === null, withdrawMs);
      this.#files.settle(id);
      return work();
    } finally {
      this.#leaving.delete(id);
      this.apply();
    }
  }

  /** Waits until the agent is neither starting nor stopping and, if it runs, connected. */
  async calm(id: string, ms: number): Promise<void> {
    if (!this.#parts) return;
    await this.#until(() => {
      const life = this.#lives.get(id)?.life;
      if (life === 'running') return this.#posts.get(id)?.connection !== 'connecting';
      return life !== 'starting' && life !== 'stopping';
    }, ms);
  }

  async #until(done: () => boolean, ms: number): Promise<void> {
    const { clock } = this.#deps.ports;
    const end = clock.monotonic() + ms;
    while (!done() && clock.monotonic() < end) {
      await new Promise<void>((resolve) => clock.after(pollMs, resolve));
    }
  }

  restart(id: string): boolean {
    return this.#supervisor.restart(id);
  }

  /** Accepts the changed key of `slug` and reads the messages held at the server. */
  believes(id: string, slug: string): void {
    const post = this.#posts.get(id);
    if (post?.held.delete(slug)) this.#deps.onChanged(id);
    post?.account?.lookAgain();
  }

  account(id: string): Account | null {
    return this.#posts.get(id)?.account ?? null;
  }

  post(id: string): AgentPost | null {
    return this.#posts.get(id) ?? null;
  }

  live(agent: LoadedAgent): LiveAgent {
    const post = this.#posts.get(agent.id);
    const life = this.#lives.get(agent.id);
    const rest = atRest(agent);
    if (!post || !life) return rest;
    const [heldFrom] = post.held;
    const waiting = this.#deps.waitingFor(agent.id);
    const held = heldFrom === undefined ? null : keyChanged(heldFrom);
    const task = this.#deps.taskOf(agent.id);
    const error: AppError | null = life.error ?? post.connectionError ?? held ?? post.turnError;
    const condition = {
      life: life.life,
      connection: post.connection,
      working: post.working.size > 0 || task !== null,
      needsYou: held !== null || waiting > 0,
      failed: post.turnError !== null,
    };
    return {
      life: life.life,
      dot: dotOf(condition),
      connection: post.connection,
      activity: post.activity || (task === null ? '' : `working on task ${task}`),
      since: post.since,
      error,
      restartAt: life.restartAt,
      messageCount: post.messageCount ?? 0,
      lastEventAt: post.lastEventAt,
      refused: post.refused,
      waiting,
    };
  }

  /** Call it when the agent starts or ends a task. */
  taskChanged(id: string): void {
    const post = this.#posts.get(id);
    if (post) post.since = this.#deps.ports.clock.now();
    if (post) this.#changed(id);
  }

  /** Resolves when no agent is starting or stopping. */
  settled(): Promise<void> {
    return this.#supervisor.settled();
  }

  async stop(graceMs: number): Promise<void> {
    await this.#supervisor.stopAll(graceMs);
    this.#files.stop();
  }

  /** Other programs request a restart, archiving or deletion by a file (spec §5). */
  async #honour(agent: LoadedAgent): Promise<void> {
    const { agents } = this.#deps;
    const { requests, id } = agent;
    if (requests.length === 0) return;
    if (requests.includes('archive') || requests.includes('delete')) {
      if (this.#leaving.has(id) || this.#failedRequests.has(id)) return;
      const archive = requests.includes('archive');
      const done = await this.retire<unknown>(id, () => {
        const removed: Result<unknown> = archive ? agents.archive(id, 'flag') : agents.delete(id);
        if (!removed.ok) this.#retryLater(id);
        return removed;
      });
      if (!done.ok) this.#deps.ports.log.warn('request_failed', { agent: id, message: done.error.message });
      return;
    }
    agents.clearRequest(id, 'restart');
    this.restart(id);
  }

  /** The request file is still there: without a pause, each look at it would try again at once. */
  #retryLater(id: string): void {
    this.#failedRequests.add(id);
    const retry = (): void => {
      this.#failedRequests.delete(id);
      this.apply();
    };
    this.#deps.ports.clock.after(requestRetryMs, retry, { unref: true });
  }

  #post(id: string): AgentPost {
    const known = this.#posts.get(id) ?? newPost(id);
    this.#posts.set(id, known);
    return known;
  }

  #lived(id: string, report: LifeReport | null): void {
    const post = this.#post(id);
    const life = report?.life ?? 'stopped';
    if (life !== 'starting' && life !== 'stopping')
      this.#deps.ports.log.info('agent_life', { agent: id, life });
    if (report?.life !== 'running') {
      post.working.clear();
      post.activity = '';
      // A user who pauses or restarts the agent has seen the error.
      post.turnError = null;
      post.held.clear();
      if (report?.life !== 'starting') {
        post.account = null;
        post.store = null;
        post.hands = null;
        post.brakes = [];
        post.connection = 'none';
        post.connectionError = null;
      }
    }
    post.since = this.#deps.ports.clock.now();
    if (report) this.#lives.set(id, report);
    else {
      this.#lives.delete(id);
      this.#posts.delete(id);
    }
    this.#changed(id);
  }

  #braked(id: string): void {
    const newest = this.#posts.get(id)?.brakes.at(-1);
    if (newest) this.#deps.onBraked(newest);
  }

  #changed(id: string): void {
    this.#files.changed(id);
    this.#deps.onChanged(id);
  }

  #postEvents(id: string, config: AgentConfig): PostEvents {
    const { clock, log } = this.#deps.ports;
    const post = this.#post(id);
    const changed = (): void => this.#changed(id);
    const touched = (): void => {
      post.since = clock.now();
      changed();
    };
    return {
      onOpened: (account, store, hands) => {
        post.account = account;
        post.store = store;
        post.hands = hands;
        post.slug = config.puffo_core.slug;
        post.messageCount = store.messageCount();
        post.refused = store.refused();
      },
      onBrakes: (brakes) => {
        post.brakes = brakes;
        this.#deps.onViewChanged();
      },
      onConnection: (state, detail) => {
        post.connection = state;
        post.connectionError = detail;
        touched();
        if (state === 'online') this.#deps.onOnline(id);
      },
      onAccepted: (messages) => {
        for (const { senderSlug } of messages) post.held.delete(senderSlug);
        post.lastEventAt = clock.now();
        post.messageCount = (post.messageCount ?? 0) + messages.length;
        changed();
        this.#deps.onMarks(messages.map((message) => message.envelopeId));
      },
      onRefused: (reason) => {
        post.refused = { ...post.refused, [reason]: (post.refused[reason] ?? 0) + 1 };
        changed();
      },
      onHeld: (senderSlug, envelopeId) => {
        log.warn('messages_held', { agent: id, senderSlug });
        post.held.add(senderSlug);
        this.#deps.onHeld(senderSlug, envelopeId);
        touched();
      },
      worker: workerEvents({ post, clock, touched, onMarks: this.#deps.onMarks, turns: this.#deps.turns }),
    };
  }
}

/** An agent to be archived or deleted should not run; one without a readable configuration stays as it is. */
function desire(agent: LoadedAgent): DesiredAgent<AgentConfig>[] {
  const leaving = agent.requests.includes('archive') || agent.requests.includes('delete');
  if (leaving || !agent.lastGood) return [];
  const config = configInForce(agent);
  const wish = config.state === 'paused' ? 'pause' : isConfigured(config) ? 'run' : 'idle_unconfigured';
  const restartKey = JSON.stringify([config.puffo_core, config.runtime.kind]);
  return [{ id: agent.id, wish, restartKey, config }];
}
