import { ok, type Result } from '../../contract/result.ts';
import { backoffMs } from '../../core/lib/backoff.ts';
import type { Timer } from '../../core/ports.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import { registerIdentity } from '../agents/register-agent.ts';
import type { HostContext } from '../context.ts';
import { recordFile } from '../record-file.ts';
import { sealedSchema } from './sealed-file.ts';

type Outcome = Promise<Result<LoadedAgent>>;

const retryPolicy = { firstMs: 5_000, maxMs: 300_000 };
const problemId = (agentId: string): string => `register-${agentId}`;

export const mayHeal = (code: string): boolean =>
  ['unavailable', 'timeout', 'rate_limited', 'protocol', 'unauthenticated', 'locked'].includes(code);

/** Pending registrations of agents, retried until each has an identity. */
export class Registrations {
  readonly #context: () => HostContext;
  readonly #running = new Map<string, Outcome>();
  #attempts = 0;
  #again: Timer | null = null;
  #stopped = false;

  constructor(context: () => HostContext) {
    this.#context = context;
  }

  /** Durable: from now on the registration is retried whenever the operator is online. */
  want(id: string): Result<void> {
    return this.#wanted(id) ? ok(undefined) : this.#file(id).write({ sealed: null });
  }

  forget(id: string): Result<void> {
    this.#context().problems.clear(problemId(id));
    return this.#file(id).remove();
  }

  /** Attempts for one agent never overlap. */
  once(id: string, run: () => Outcome): Outcome {
    const present = this.#running.get(id);
    if (present) return present;
    const next = run().finally(() => this.#running.delete(id));
    this.#running.set(id, next);
    return next;
  }

  online(): void {
    void this.#pass();
  }

  stop(): void {
    this.#stopped = true;
    this.#again?.cancel();
  }

  #file(id: string) {
    const { disk, layout } = this.#context();
    return recordFile(disk, layout.agentDraft(id), sealedSchema);
  }

  #wanted(id: string): boolean {
    const note = this.#file(id).read();
    return note.ok && note.value !== null;
  }

  async #pass(): Promise<void> {
    this.#again?.cancel();
    let open = false;
    for (const agent of this.#context().agents.list()) {
      if (this.#stopped || this.#context().operator.session() === null) return;
      if (agent.lastGood && this.#wanted(agent.id)) open = (await this.#one(agent)) || open;
    }
    this.#attempts = open ? this.#attempts + 1 : 0;
    if (!open || this.#stopped) return;
    const { clock, random } = this.#context().ports;
    const wait = backoffMs(retryPolicy, this.#attempts, random.fraction());
    this.#again = clock.after(wait, () => void this.#pass(), { unref: true });
  }

  /** Returns true if it failed and a retry may succeed. */
  async #one(agent: LoadedAgent): Promise<boolean> {
    const done = await registerIdentity(this.#context(), agent);
    if (done.ok) return false;
    const heals = mayHeal(done.error.code);
    const slug = configInForce(this.#context().agents.get(agent.id) ?? agent).puffo_core.slug;
    if (!heals) this.forget(agent.id);
    const said = slug === '' ? `${agent.id} has its files and no identity yet: ` : '';
    this.#context().problems.set(problemId(agent.id), 'warning', {
      message: `${said}${done.error.message}`,
      hint: heals ? 'Kennel tries again by itself.' : `Then run "kennel agent register ${agent.id}".`,
    });
    return heals;
  }
}
