import { z } from 'zod';
import type { AgentMark } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import type { RequestError } from '../../services/puffo/request-error.ts';
import type { SignedClient } from '../../services/puffo/signed-client.ts';

// Marks of other people's agents under a message, as their server reports them: working or done. The server
// pushes changes; older messages are requested once when shown.

export interface RemoteMarksDeps {
  client(): SignedClient | null;
  onChanged(envelopeId: string): void;
}

export interface RemoteMarks {
  /** Marks of these agents under this message; an agent that is away is never shown as working. */
  of(envelopeId: string, agents: ReadonlySet<string>, away: (slug: string) => boolean): readonly AgentMark[];
  told(frame: Readonly<Record<string, unknown>>): void;
  /** Requests unknown marks of visible messages. */
  show(envelopeIds: readonly string[]): void;
  workOf(slugs: ReadonlySet<string>): readonly string[];
  /** After a reconnect: frames may be missing, and the server's version may differ. */
  online(): void;
  clear(): void;
}

const kept = 2_000;
const agentsPerMessage = 100;
const atOnce = 4;
/** Consecutive "not found" answers after which the server counts as having no such route. */
const missesForNone = 5;

const runSchema = z.looseObject({
  run_id: z.string().min(1).max(200),
  agent_slug: z.string().min(1).max(200),
  started_at: z.number(),
  ended_at: z.number().nullish(),
  succeeded: z.boolean().nullish(),
});
type Run = z.infer<typeof runSchema>;
const frameSchema = runSchema.extend({ message_id: z.string().min(1).max(200) });
const answerSchema = z.looseObject({ runs: z.array(z.unknown()).max(10_000) });

const stateOf = ({ ended_at: ended, succeeded }: Run): AgentMark['state'] => {
  if (ended === null || ended === undefined) return 'working';
  return succeeded === false ? 'failed' : 'done';
};

/** The latest run wins; within one run, its end wins. */
const replaces = (next: Run, known: Run): boolean =>
  next.run_id === known.run_id ? stateOf(known) === 'working' : next.started_at >= known.started_at;

export function createRemoteMarks(deps: RemoteMarksDeps): RemoteMarks {
  return new Runs(deps);
}

class Runs implements RemoteMarks {
  readonly #deps: RemoteMarksDeps;
  /** Runs by message, then agent; an LRU cache. */
  readonly #runs = new Map<string, Map<string, Run>>();
  readonly #asked = new Set<string>();
  #queue: string[] = [];
  #asking = 0;
  #misses = 0;
  #life = 0;

  constructor(deps: RemoteMarksDeps) {
    this.#deps = deps;
  }

  of(envelopeId: string, agents: ReadonlySet<string>, away: (slug: string) => boolean): readonly AgentMark[] {
    const marks: AgentMark[] = [];
    for (const [slug, run] of this.#runs.get(envelopeId) ?? []) {
      const state = stateOf(run);
      if (!agents.has(slug) || (state === 'working' && away(slug))) continue;
      marks.push({ agentId: null, slug, state, reason: '' });
    }
    return marks;
  }

  told(frame: Readonly<Record<string, unknown>>): void {
    const run = frameSchema.safeParse(frame);
    if (run.success && this.#keep(run.data.message_id, run.data)) this.#deps.onChanged(run.data.message_id);
  }

  show(envelopeIds: readonly string[]): void {
    if (this.#misses >= missesForNone) return;
    const fresh = envelopeIds.filter((id) => !this.#asked.has(id));
    for (const id of fresh) this.#asked.add(id);
    for (const old of [...this.#asked].slice(0, Math.max(0, this.#asked.size - kept)))
      this.#asked.delete(old);
    // Newest first; the rest of a long queue is no longer visible.
    this.#queue = [...fresh.toReversed(), ...this.#queue].slice(0, kept);
    this.#pump();
  }

  workOf(slugs: ReadonlySet<string>): readonly string[] {
    return [...this.#runs].flatMap(([id, byAgent]) =>
      [...byAgent].some(([slug, run]) => slugs.has(slug) && stateOf(run) === 'working') ? [id] : [],
    );
  }

  online(): void {
    this.#asked.clear();
    this.#queue = [];
    this.#misses = 0;
    this.#life += 1;
  }

  clear(): void {
    this.online();
    this.#runs.clear();
  }

  #keep(envelopeId: string, run: Run): boolean {
    const byAgent = this.#runs.get(envelopeId) ?? new Map<string, Run>();
    const known = byAgent.get(run.agent_slug);
    if (known ? !replaces(run, known) : byAgent.size >= agentsPerMessage) return false;
    byAgent.set(run.agent_slug, run);
    this.#runs.delete(envelopeId);
    this.#runs.set(envelopeId, byAgent);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > kept && oldest !== undefined) this.#runs.delete(oldest);
    return !known || stateOf(known) !== stateOf(run);
  }

  #pump(): void {
    while (this.#asking < atOnce && this.#misses < missesForNone) {
      const next = this.#queue.shift();
      const client = this.#deps.client();
      if (next === undefined || !client) return;
      this.#asking += 1;
      void this.#ask(client, next).finally(() => {
        this.#asking -= 1;
        this.#pump();
      });
    }
  }

  async #ask(client: SignedClient, envelopeId: string): Promise<void> {
    const life = this.#life;
    const target = `/messages/${encodeURIComponent(envelopeId)}/processing`;
    const answer = await client.json('GET', target, answerSchema);
    if (life !== this.#life) return;
    if (!answer.ok) {
      this.#misses = isMiss(answer) ? this.#misses + 1 : this.#misses;
      return;
    }
    this.#misses = 0;
    const runs = answer.value.runs.flatMap((raw) => runSchema.safeParse(raw).data ?? []);
    const changed = runs.filter((run) => this.#keep(envelopeId, run));
    if (changed.length > 0) this.#deps.onChanged(envelopeId);
  }
}

const isMiss = (answer: Extract<Result<unknown, RequestError>, { ok: false }>): boolean =>
  answer.error.code === 'protocol' || [404, 405, 501].includes(answer.error.status ?? 0);
