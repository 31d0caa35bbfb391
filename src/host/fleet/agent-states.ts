import type { AppError } from '../../contract/errors.ts';
import { dmRoomAcross, dmSlug } from '../../contract/room-id.ts';
import type { Brake } from '../../contract/work.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { BrakeThread } from '../../core/agents/brake.ts';
import { statusDot } from '../../core/agents/status.ts';
import { sleep } from '../../core/lib/sleep.ts';
import type { Clock, Log } from '../../core/ports.ts';
import type { LifeReport } from '../../core/supervisor/supervisor-ports.ts';
import { say } from '../../language/say.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { atRest } from '../agents/agent-view.ts';
import type { LiveAgent } from '../agents/live-agent.ts';
import { keyChanged } from '../identity/key-changed.ts';
import { type AgentRecord, newPost } from './agent-record.ts';
import type { AgentEvents } from './launch-agent.ts';
import type { RuntimeFiles } from './runtime-files.ts';
import { type TurnSink, workerEvents } from './turn-events.ts';

/** Reports of running agents. */
export interface FleetEvents {
  onChanged(agentId: string): void;
  /** Something changed that `host.view` shows about all agents. */
  onViewChanged(): void;
  onMarks(envelopeIds: readonly string[]): void;
  onOnline(agentId: string): void;
  /** A message stays on the server because its sender's key changed. */
  onHeld(senderSlug: string, envelopeId: string): void;
  onBraked(brake: Brake): void;
  /** A sender reached the hourly limit; `until` is in ms since the epoch. */
  onSenderLimit(agentId: string, slug: string, until: number): void;
}

/** Tasks and open questions of agents. */
export interface AgentDuties {
  /** One of the tasks it is working on, or `null`. */
  taskOf(agentId: string): number | null;
  /** Number of its questions that need attention. */
  waitingFor(agentId: string): number;
}

export interface AgentStatesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: FleetEvents;
  readonly turns: readonly TurnSink[];
  readonly duties: AgentDuties;
  /** `look` returns `null` if the agent is not supervised. */
  readonly createFiles: (look: (agent: LoadedAgent) => LiveAgent | null) => RuntimeFiles;
}

/** State of the supervised agents, and access to those that run. */
export interface AgentStates {
  post(id: string): AgentRecord | null;
  account(id: string): Account | null;
  lifeOf(id: string): LifeReport | null;
  live(agent: LoadedAgent): LiveAgent;
  /** Threads stopped by the loop brake, oldest first. */
  brakes(): readonly Brake[];
  /**
   * Continues a thread for this agent, and for all own agents in it, stopped or not. Returns false if the
   * thread is not stopped.
   */
  goOn(id: string, thread: BrakeThread): boolean;
  /** Lets the agent answer a message again; returns false if it has no ended turn for it, or does not run. */
  answerAgain(id: string, envelopeId: string): boolean;
  /** Ends the agent's open turn of this conversation, or all if `null`; returns false if no turn is open. */
  stopTurn(id: string, threadKey: string | null): boolean;
  /** Accepts the changed key of `slug` and reads the messages held at the server. */
  acceptKeyChange(id: string, slug: string): void;
  /** Clears the error of the last turn, which ran on the old model. */
  modelChanged(id: string): void;
  /** Call it when the agent starts or ends a task. */
  taskChanged(id: string): void;
  /** `report` is `null` if the agent was removed. */
  lived(id: string, report: LifeReport | null): void;
  eventsOf(id: string, config: AgentConfig): AgentEvents;
  /** Waits until `done`, at most `ms`. */
  until(done: () => boolean, ms: number): Promise<void>;
  /** Writes the final state of an agent whose folder is about to move. */
  settle(id: string): void;
  /** Marks all agents as stopped on disk. */
  stop(): void;
}

const pollMs = 20;

export function createAgentStates(deps: AgentStatesDeps): AgentStates {
  const { clock, log, duties, turns } = deps;
  const posts = new Map<string, AgentRecord>();
  const lives = new Map<string, LifeReport>();
  const postOf = (id: string): AgentRecord => {
    const known = posts.get(id) ?? newPost(id);
    posts.set(id, known);
    return known;
  };
  const supervised = (agent: LoadedAgent): LiveAgent | null => {
    const post = posts.get(agent.id);
    const life = lives.get(agent.id);
    return post && life ? liveAgent(post, life, duties) : null;
  };
  const files = deps.createFiles(supervised);
  const events: FleetEvents = {
    ...deps.events,
    onChanged(id) {
      files.changed(id);
      deps.events.onChanged(id);
    },
  };
  return {
    post: (id) => posts.get(id) ?? null,
    account: (id) => posts.get(id)?.account ?? null,
    lifeOf: (id) => lives.get(id) ?? null,
    live: (agent) => supervised(agent) ?? atRest(agent),
    brakes: () => [...posts.values()].flatMap(({ brakes }) => brakes).sort((a, b) => a.at - b.at),
    goOn: (id, thread) => goOn(posts, id, thread),
    answerAgain: (id, envelopeId) => posts.get(id)?.capabilities?.answerAgain(envelopeId) ?? false,
    stopTurn: (id, threadKey) => posts.get(id)?.capabilities?.stop(threadKey) ?? false,
    acceptKeyChange(id, slug) {
      const post = posts.get(id);
      if (post?.held.delete(slug)) deps.events.onChanged(id);
      post?.account?.lookAgain();
    },
    modelChanged(id) {
      const post = posts.get(id);
      if (post) post.turnError = null;
      events.onChanged(id);
    },
    taskChanged(id) {
      const post = posts.get(id);
      if (!post) return;
      post.since = clock.now();
      events.onChanged(id);
    },
    lived(id, report) {
      const life = report?.life ?? 'stopped';
      if (life !== 'starting' && life !== 'stopping') log.info('agent_life', { agent: id, life });
      const post = postOf(id);
      if (report?.life !== 'running') rest(post, report);
      post.since = clock.now();
      if (report) lives.set(id, report);
      else {
        lives.delete(id);
        posts.delete(id);
      }
      events.onChanged(id);
    },
    eventsOf: (id, config) => agentEvents({ clock, log, events, turns }, postOf(id), config),
    async until(done, ms) {
      const end = clock.monotonic() + ms;
      while (!done() && clock.monotonic() < end) await sleep(clock, pollMs);
    },
    settle: (id) => files.settle(id),
    stop: () => files.stop(),
  };
}

function liveAgent(post: AgentRecord, life: LifeReport, duties: AgentDuties): LiveAgent {
  const [heldFrom] = post.held;
  const waiting = duties.waitingFor(post.id);
  const held = heldFrom === undefined ? null : keyChanged(heldFrom);
  const task = duties.taskOf(post.id);
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
    dot: statusDot(condition),
    connection: post.connection,
    activity: post.activity || (task === null ? '' : say('steps.workingOnTask', { task })),
    since: post.since,
    error,
    restartAt: life.restartAt,
    messageCount: post.messageCount ?? 0,
    lastEventAt: post.lastEventAt,
    refused: post.refused,
    waiting,
  };
}

function goOn(posts: ReadonlyMap<string, AgentRecord>, id: string, thread: BrakeThread): boolean {
  const post = posts.get(id);
  if (!post?.capabilities?.goOn(thread)) return false;
  const whom = dmSlug(thread.roomId);
  for (const other of posts.values()) {
    if (other === post || (whom !== null && other.slug !== whom)) continue;
    const room = whom === null ? thread.roomId : dmRoomAcross(thread.roomId, post.slug);
    const same = { ...thread, roomId: room };
    if (!other.capabilities?.goOn(same)) other.capabilities?.joinRound(same);
  }
  return true;
}

/** The state of an agent that does not run. */
function rest(post: AgentRecord, report: LifeReport | null): void {
  post.working.clear();
  post.activity = '';
  // A user who pauses or restarts the agent has seen the error.
  post.turnError = null;
  post.held.clear();
  if (report?.life === 'starting') return;
  post.account = null;
  post.store = null;
  post.capabilities = null;
  post.brakes = [];
  post.connection = 'none';
  post.connectionError = null;
}

function agentEvents(
  { clock, log, events, turns }: Pick<AgentStatesDeps, 'clock' | 'log' | 'events' | 'turns'>,
  post: AgentRecord,
  config: AgentConfig,
): AgentEvents {
  const { id } = post;
  const changed = (): void => events.onChanged(id);
  const touched = (): void => {
    post.since = clock.now();
    changed();
  };
  return {
    onOpened: (account, store, capabilities) => {
      post.account = account;
      post.store = store;
      post.capabilities = capabilities;
      post.slug = config.puffo_core.slug;
      post.messageCount = store.messageCount();
      post.refused = store.refused();
    },
    onBrakes: (brakes) => {
      post.brakes = brakes;
      events.onViewChanged();
    },
    onBraked: () => {
      const newest = post.brakes.at(-1);
      if (newest) events.onBraked(newest);
    },
    onSenderLimit: (slug, until) => events.onSenderLimit(id, slug, until),
    onConnection: (state, detail) => {
      post.connection = state;
      post.connectionError = detail;
      touched();
      if (state === 'online') events.onOnline(id);
    },
    onAccepted: (messages) => {
      for (const { senderSlug } of messages) post.held.delete(senderSlug);
      post.lastEventAt = clock.now();
      post.messageCount = (post.messageCount ?? 0) + messages.length;
      changed();
      events.onMarks(messages.map((message) => message.envelopeId));
    },
    onRefused: (reason) => {
      post.refused = { ...post.refused, [reason]: (post.refused[reason] ?? 0) + 1 };
      changed();
    },
    onHeld: (senderSlug, envelopeId) => {
      log.warn('messages_held', { agent: id, senderSlug });
      post.held.add(senderSlug);
      events.onHeld(senderSlug, envelopeId);
      touched();
    },
    worker: workerEvents({ post, clock, touched, onMarks: events.onMarks, turns }),
  };
}
