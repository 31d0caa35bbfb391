/**
 * The status of agents in an account's spaces, as they report it to the server (spec §2.2): polled while a
 * viewer is open, updated by frames if the server pushes them, offline after 120 s without a heartbeat
 * whatever the server claims. It promises to report only changes, never to query more than a few hundred at a
 * time, and to report nothing if the server lacks the routes.
 */
import { z } from 'zod';
import type { Clock, Log, Timer } from '../../core/ports.ts';
import { isTransient, type RequestError } from './request-error.ts';
import type { SignedClient } from './signed-client.ts';

export interface AgentPresence {
  readonly state: 'idle' | 'busy' | 'error' | 'offline';
  readonly errorText: string;
}

/** By slug; `null` if the status is unknown now. */
export type PresenceChanges = ReadonlyMap<string, AgentPresence | null>;

export interface PresenceDeps {
  readonly clock: Clock;
  readonly log: Log;
  client(): SignedClient | null;
  onChanged(changes: PresenceChanges): void;
}

interface Seen {
  readonly presence: AgentPresence;
  /** Monotonic ms of the last heartbeat, as far as known. */
  readonly at: number;
}

const offlineMs = 120_000;
/** ms between polls: without and with pushed frames. */
const roundMs = 20_000;
const pushedRoundMs = 60_000;
const sweepMs = 10_000;
const batchSize = 200;
/** Without the batch route, agents polled one by one per round. */
const singlesPerRound = 60;
const errorTextLimit = 300;

const optionalText = z.string().nullish().catch(null);
const statusSchema = z
  .looseObject({
    slug: optionalText,
    agent_slug: optionalText,
    status: z.enum(['idle', 'busy', 'error', 'offline', 'paused', 'archived']),
    last_heartbeat_at: z.number().nullish().catch(null),
    error_text: optionalText,
  })
  .transform((raw) => ({
    slug: raw.slug ?? raw.agent_slug ?? '',
    // Clients from 1.0 also report why they do not work.
    state: raw.status === 'paused' || raw.status === 'archived' ? ('offline' as const) : raw.status,
    heartbeatAt: raw.last_heartbeat_at ?? null,
    errorText: (raw.error_text ?? '').slice(0, errorTextLimit),
  }));
type Status = z.infer<typeof statusSchema>;

const listSchema = z.array(z.unknown()).max(10_000);
/** The response format is undocumented: the list is accepted under any of the names in use. */
const batchSchema = z
  .looseObject({ statuses: listSchema.optional(), agents: listSchema.optional() })
  .transform((raw) => raw.statuses ?? raw.agents ?? null);

const readable = (list: readonly unknown[]): readonly Status[] =>
  list.flatMap((raw) => statusSchema.safeParse(raw).data ?? []);

/** True if the server lacks the route, or serves something else there. */
const isMissing = (error: RequestError): boolean =>
  error.code === 'protocol' || error.status === 404 || error.status === 405 || error.status === 501;

const same = (a: AgentPresence | undefined, b: AgentPresence): boolean =>
  a?.state === b.state && a.errorText === b.errorText;

export class PresenceBook {
  readonly #deps: PresenceDeps;
  #slugs: ReadonlySet<string> = new Set();
  readonly #seen = new Map<string, Seen>();
  #way: 'batch' | 'single' | 'none' = 'batch';
  #looks = false;
  #pushed = false;
  #roundAt = Number.NEGATIVE_INFINITY;
  #nextSingle = 0;
  #asking = false;
  /** An agent was added while a poll was running. */
  #again = false;
  #timer: Timer | null = null;
  #sweeper: Timer | null = null;

  constructor(deps: PresenceDeps) {
    this.#deps = deps;
  }

  of(slug: string): AgentPresence | null {
    return this.#seen.get(slug)?.presence ?? null;
  }

  /** Sets the agents to track. */
  follow(slugs: ReadonlySet<string>): void {
    const gone = [...this.#seen.keys()].filter((slug) => !slugs.has(slug));
    const fresh = [...slugs].some((slug) => !this.#slugs.has(slug));
    this.#slugs = slugs;
    this.#forget(gone);
    if (fresh) this.#schedule(0);
  }

  /** Starts or stops polling with the viewer; an old status is not shown again. */
  look(looks: boolean): void {
    if (looks === this.#looks) return;
    this.#looks = looks;
    if (!looks) {
      this.#rest();
      return;
    }
    const age = this.#deps.clock.monotonic() - this.#roundAt;
    if (age > offlineMs) this.#forget([...this.#seen.keys()]);
    this.#schedule(Math.max(0, this.#pause() - age));
    this.#sweepLater();
  }

  /** Called after a reconnect: the server may have changed, and frames were missed. */
  online(): void {
    this.#way = 'batch';
    this.#pushed = false;
    this.#schedule(0);
  }

  /** Takes a pushed status frame of one agent. */
  told(frame: unknown): void {
    const status = statusSchema.safeParse(frame);
    if (!status.success || !this.#slugs.has(status.data.slug)) return;
    this.#pushed = true;
    this.#take([status.data]);
  }

  clear(): void {
    this.#slugs = new Set();
    this.#forget([...this.#seen.keys()]);
    this.#roundAt = Number.NEGATIVE_INFINITY;
  }

  stop(): void {
    this.#looks = false;
    this.#rest();
  }

  #rest(): void {
    this.#timer?.cancel();
    this.#sweeper?.cancel();
    this.#timer = null;
    this.#sweeper = null;
  }

  #pause(): number {
    return this.#pushed ? pushedRoundMs : roundMs;
  }

  #schedule(ms: number): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (!this.#looks || this.#slugs.size === 0 || this.#way === 'none') return;
    this.#timer = this.#deps.clock.after(ms, () => void this.#round(), { unref: true });
  }

  async #round(): Promise<void> {
    const client = this.#deps.client();
    this.#again = this.#asking;
    if (this.#asking || !client) return;
    this.#asking = true;
    try {
      if (this.#way === 'batch') await this.#askAll(client);
      if (this.#way === 'single') await this.#askSome(client);
      this.#roundAt = this.#deps.clock.monotonic();
    } finally {
      this.#asking = false;
    }
    if (this.#way === 'none') {
      this.#deps.log.info('presence.not_offered', {});
      this.#forget([...this.#seen.keys()]);
    }
    this.#schedule(this.#again ? 0 : this.#pause());
    this.#again = false;
  }

  async #askAll(client: SignedClient): Promise<void> {
    const slugs = [...this.#slugs];
    for (let at = 0; at < slugs.length; at += batchSize) {
      const body = { slugs: slugs.slice(at, at + batchSize) };
      const answer = await client.json('POST', '/agents/status:batch', batchSchema, { body });
      if (answer.ok && answer.value) this.#take(readable(answer.value));
      else if (answer.ok || isMissing(answer.error)) {
        this.#way = 'single';
        return;
      } else return;
    }
  }

  async #askSome(client: SignedClient): Promise<void> {
    const slugs = [...this.#slugs];
    const count = Math.min(singlesPerRound, slugs.length);
    let answers = 0;
    for (let n = 0; n < count; n += 1) {
      const slug = slugs[this.#nextSingle % slugs.length] ?? '';
      this.#nextSingle += 1;
      const answer = await client.json('GET', `/agents/${encodeURIComponent(slug)}/status`, z.unknown());
      const status = answer.ok ? statusSchema.safeParse(answer.value).data : undefined;
      if (status) this.#take([{ ...status, slug }]);
      if (status || (!answer.ok && isTransient(answer.error) && !isMissing(answer.error))) answers += 1;
    }
    if (answers === 0) this.#way = 'none';
  }

  #take(statuses: readonly Status[]): void {
    const { clock } = this.#deps;
    const changes = new Map<string, AgentPresence | null>();
    for (const { slug, state, heartbeatAt, errorText } of statuses) {
      if (!this.#slugs.has(slug)) continue;
      const presence: AgentPresence = { state, errorText: state === 'error' ? errorText : '' };
      // The server's clock decides who is online; the age of the heartbeat is estimated with this clock.
      const age = heartbeatAt === null ? 0 : Math.max(0, clock.now() - heartbeatAt);
      const at = clock.monotonic() - Math.min(age, offlineMs - sweepMs);
      if (!same(this.#seen.get(slug)?.presence, presence)) changes.set(slug, presence);
      this.#seen.set(slug, { presence, at });
    }
    if (changes.size > 0) this.#deps.onChanged(changes);
  }

  #sweepLater(): void {
    this.#sweeper?.cancel();
    this.#sweeper = this.#deps.clock.after(sweepMs, () => this.#sweep(), { unref: true });
  }

  /** Marks agents as offline that sent no heartbeat for too long. */
  #sweep(): void {
    const since = this.#deps.clock.monotonic() - offlineMs;
    const changes = new Map<string, AgentPresence | null>();
    for (const [slug, { presence, at }] of this.#seen) {
      if (presence.state === 'offline' || at > since) continue;
      const gone: AgentPresence = { state: 'offline', errorText: '' };
      this.#seen.set(slug, { presence: gone, at });
      changes.set(slug, gone);
    }
    if (changes.size > 0) this.#deps.onChanged(changes);
    this.#sweepLater();
  }

  #forget(slugs: readonly string[]): void {
    if (slugs.length === 0) return;
    for (const slug of slugs) this.#seen.delete(slug);
    this.#deps.onChanged(new Map(slugs.map((slug) => [slug, null])));
  }
}
