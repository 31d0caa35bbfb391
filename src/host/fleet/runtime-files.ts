import type { AgentLife } from '../../contract/model.ts';
import type { RuntimeStatus } from '../../core/agents/runtime-status.ts';
import type { Clock, Log, Timer } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { LiveAgent } from '../agents/live-agent.ts';

// Each agent's runtime.json shows its state to other programs (spec §5). It is written only on changes, so a
// thousand idle agents cost nothing.

/** Batching delay of changes in ms; limits how often a file is written. */
const gatherMs = 1_000;
/** Files per turn of the event loop. */
const sliceSize = 50;

export interface RuntimeFilesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly agents: Pick<AgentStore, 'get' | 'readRuntimeStatus' | 'writeRuntimeStatus'>;
  /** `null` if the agent is not supervised. */
  look(id: string): LiveAgent | null;
  /** Minimum interval in ms of updates that change only counts. */
  heartbeatMs(): number;
}

export interface RuntimeFiles {
  changed(id: string): void;
  /** Writes the final state of an agent whose folder is about to move. */
  settle(id: string): void;
  /** Marks all agents as stopped. */
  stop(): void;
}

interface Known {
  readonly written: RuntimeStatus | null;
  /** Monotonic ms of that write. */
  readonly at: number;
  /** Seconds since the epoch, or `null` while stopped. */
  readonly upSince: number | null;
}

const up: readonly AgentLife[] = ['starting', 'running', 'stopping'];
const broken: readonly AgentLife[] = ['backing_off', 'gave_up', 'broken'];

/** A paused agent is `stopped` here, as in 0.8; agent.yml contains the pause. */
function stateOf(live: LiveAgent | null): RuntimeStatus['status'] {
  if (live && (broken.includes(live.life) || live.connection === 'blocked')) return 'error';
  if (live && up.includes(live.life)) return 'running';
  return 'stopped';
}

function healthOf(live: LiveAgent): RuntimeStatus['health'] {
  if (live.error?.code === 'unauthenticated') return 'auth_failed';
  return live.connection === 'online' ? 'ok' : 'unknown';
}

/** Changes of these fields are written at once; counts can wait. */
const differs = (a: RuntimeStatus, b: RuntimeStatus): boolean =>
  a.status !== b.status || a.health !== b.health || a.error !== b.error || a.started_at !== b.started_at;
const counted = (a: RuntimeStatus, b: RuntimeStatus): boolean =>
  a.msg_count !== b.msg_count || a.last_event_at !== b.last_event_at;

export function createRuntimeFiles(deps: RuntimeFilesDeps): RuntimeFiles {
  return new Files(deps);
}

class Files implements RuntimeFiles {
  readonly #deps: RuntimeFilesDeps;
  readonly #known = new Map<string, Known>();
  readonly #changed = new Set<string>();
  #timer: Timer | null = null;
  #failing = false;
  #stopped = false;

  constructor(deps: RuntimeFilesDeps) {
    this.#deps = deps;
  }

  changed(id: string): void {
    if (this.#stopped) return;
    this.#changed.add(id);
    this.#timer ??= this.#after(gatherMs);
  }

  settle(id: string): void {
    this.#changed.delete(id);
    this.#bring(id, 0);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    for (const [id, { written }] of this.#known) {
      if (!written) continue;
      const status = stateOf(null);
      if (status !== written.status) this.#write(id, { ...written, status, health: 'unknown' }, null);
    }
  }

  #after(ms: number): Timer {
    return this.#deps.clock.after(ms, () => this.#look([...this.#changed], []), { unref: true });
  }

  #look(ids: readonly string[], early: readonly string[]): void {
    const heartbeatMs = this.#deps.heartbeatMs();
    const waiting = [...early];
    for (const id of ids.slice(0, sliceSize)) {
      this.#changed.delete(id);
      if (!this.#bring(id, heartbeatMs)) waiting.push(id);
    }
    const rest = ids.slice(sliceSize);
    if (rest.length > 0) {
      this.#timer = this.#deps.clock.after(0, () => this.#look(rest, waiting), { unref: true });
      return;
    }
    for (const id of waiting) this.#changed.add(id);
    this.#timer = this.#changed.size > 0 ? this.#after(gatherMs) : null;
  }

  /** Returns false if the change has to wait. */
  #bring(id: string, heartbeatMs: number): boolean {
    const { clock, agents } = this.#deps;
    if (!agents.get(id)) {
      this.#known.delete(id);
      return true;
    }
    const before = this.#known.get(id) ?? {
      written: agents.readRuntimeStatus(id),
      at: Number.NEGATIVE_INFINITY,
      upSince: null,
    };
    const { next, upSince } = this.#judge(id, before);
    const { written } = before;
    const urgent = written === null || differs(next, written);
    if (!urgent && counted(next, written) && clock.monotonic() - before.at < heartbeatMs) return false;
    if (urgent || counted(next, written)) this.#write(id, next, upSince);
    else this.#known.set(id, { ...before, upSince });
    return true;
  }

  #judge(id: string, { written, upSince }: Known): { next: RuntimeStatus; upSince: number | null } {
    const now = Math.floor(this.#deps.clock.now() / 1000);
    const live = this.#deps.look(id);
    const status = stateOf(live);
    const since = status === 'running' ? (upSince ?? now) : null;
    const lastEvent = live?.lastEventAt ?? null;
    const next: RuntimeStatus = {
      status,
      started_at: since ?? written?.started_at ?? 0,
      updated_at: now,
      // The store that counts is open only after the start.
      msg_count: live?.life === 'running' ? live.messageCount : (written?.msg_count ?? 0),
      last_event_at: lastEvent === null ? (written?.last_event_at ?? 0) : Math.floor(lastEvent / 1000),
      error: live?.error?.message ?? '',
      health: live ? healthOf(live) : 'unknown',
    };
    return { next, upSince: since };
  }

  #write(id: string, written: RuntimeStatus, upSince: number | null): void {
    const { agents, clock, log } = this.#deps;
    const updated_at = Math.floor(clock.now() / 1000);
    const done = agents.writeRuntimeStatus(id, { ...written, updated_at });
    this.#known.set(id, { written, at: clock.monotonic(), upSince });
    if (!done.ok && !this.#failing)
      log.warn('runtime_status_not_written', { agent: id, message: done.error.message });
    this.#failing = !done.ok;
  }
}
