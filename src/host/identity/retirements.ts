/**
 * Ends deleted and archived agents at their server once their files are gone: the agent leaves its spaces and
 * revokes its device, and its operator revokes its identity. What is left is saved until the server has it,
 * through restarts, days offline and a locked vault.
 */
import { atMost } from '../../core/lib/at-most.ts';
import type { Clock, Timer } from '../../core/ports.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { AgentKeys } from './agent-keys.ts';
import type { PendingRetirement, PendingRetirements } from './pending-retirements.ts';
import type { CreateRetryLoop, RetryLoop } from './retry-loop.ts';
import type { ServerRetirement } from './server-retirement.ts';

/** ms after which archiving or deleting continues without the server's answers. */
const tellLimitMs = 5_000;
/** The limit if the agent also leaves its spaces itself. */
const leaveLimitMs = 13_000;

/** ms after its removal until which an agent is not revoked if it could not hand over a space that it owns. */
const handOverLimitMs = 60_000;

/** Ends the agent at its server, or not, once the result of the removal is known. */
export interface Retirement {
  finish(): Promise<void>;
  /** The agent was not archived or deleted after all. */
  cancel(): void;
}

export interface RetirementDeps {
  readonly pending: PendingRetirements;
  readonly server: ServerRetirement;
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly agentKeys: AgentKeys;
  readonly createRetryLoop: CreateRetryLoop;
  readonly clock: Clock;
}

const nothing: Retirement = { finish: async () => undefined, cancel: () => undefined };

const unreadableIds = (agents: Pick<AgentStore, 'list'>): string[] =>
  agents.list().flatMap(({ id, lastGood }) => (lastGood === null ? [id] : []));

export class Retirements {
  readonly #deps: RetirementDeps;
  readonly #loop: RetryLoop;
  /** Slugs of agents that are being archived or deleted, or were since this start. */
  readonly #ending = new Set<string>();
  /** Those of them whose files are gone, with the ids of agents that could not be read even before. */
  readonly #gone = new Map<string, ReadonlySet<string>>();

  readonly #waits = new Map<string, Timer>();
  /** Slugs whose time for handing over is used up, whatever the clock says. */
  readonly #waited = new Set<string>();

  constructor(deps: RetirementDeps) {
    this.#deps = deps;
    this.#loop = deps.createRetryLoop('retirements', () => this.#tellServers());
  }

  /**
   * Call it before the files go; only `finish` changes anything at the server. `account` is `null` if the agent
   * does not run. Never fails the removal.
   */
  async begin(agentId: string, account: Pick<Account, 'connection'> | null): Promise<Retirement> {
    const { agents, agentKeys, pending, server, clock } = this.#deps;
    const agent = agents.get(agentId);
    if (!agent?.lastGood) return nothing;
    const { slug, server_url: serverUrl } = configInForce(agent).puffo_core;
    if (slug === '') return nothing;
    const known = agentKeys.readPublic(agentId, slug);
    const isOnline = account?.connection().state === 'online';
    const identity = isOnline ? await agentKeys.load(agentId, slug) : null;
    const sealedKeys = identity?.ok ? await server.sealKeys(identity.value) : null;
    if (known === null && sealedKeys === null) return nothing;
    const unreadable = new Set(unreadableIds(agents));
    this.#ending.add(slug);
    pending.keep({
      slug,
      serverUrl,
      agentRootPublicKey: known?.rootPublicKey ?? null,
      at: clock.now(),
      sealedKeys,
    });
    return {
      finish: async () => {
        this.#gone.set(slug, unreadable);
        // The loop goes on after the limit.
        await atMost(clock, sealedKeys === null ? tellLimitMs : leaveLimitMs, this.#loop.run());
      },
      cancel: () => {
        this.#ending.delete(slug);
        pending.drop(slug);
      },
    };
  }

  online(): void {
    void this.#loop.run();
  }

  stop(): void {
    this.#loop.stop();
    for (const timer of this.#waits.values()) timer.cancel();
  }

  async #tellServers(): Promise<boolean> {
    const { pending } = this.#deps;
    pending.save();
    let isWorkLeft = false;
    for (const retirement of pending.all()) {
      if (this.#loop.isStopped()) return false;
      isWorkLeft = (await this.#tellServer(retirement)) || isWorkLeft;
    }
    return !pending.save() || isWorkLeft;
  }

  /** Returns true if it should be repeated. */
  async #tellServer(retirement: PendingRetirement): Promise<boolean> {
    const { agents, pending, server } = this.#deps;
    const { slug } = retirement;
    const isPresent = agents.list().some(({ lastGood }) => lastGood?.puffo_core.slug === slug);
    // A crash before the removal left the entry: the agent stays, and so does its identity.
    if (isPresent && !this.#ending.has(slug)) {
      pending.drop(slug);
      return false;
    }
    if (isPresent) return false;
    // An agent that cannot be read may be this one, after a restart or moved back by the user.
    const unreadableBefore = this.#gone.get(slug);
    if (unreadableIds(agents).some((id) => !unreadableBefore?.has(id))) return true;
    const left = await server.leave(retirement);
    // A revoked agent can no longer hand over its spaces, so its revocation waits a little for that.
    if (left === 'hand_over_later' && this.#mayWait(retirement)) return true;
    const hasLeft = left === 'left';
    if (hasLeft && retirement.sealedKeys !== null) pending.keep({ ...retirement, sealedKeys: null });
    const revoked = await server.revoke(retirement);
    if (revoked === 'revoked' || (revoked === 'refused' && hasLeft)) {
      pending.drop(slug);
      return false;
    }
    return revoked === 'later' || !hasLeft;
  }

  /** Wakes the loop at the limit, because its own back-off may be longer. */
  #mayWait({ slug, at }: PendingRetirement): boolean {
    const { clock } = this.#deps;
    const age = clock.now() - at;
    if (age < 0 || age >= handOverLimitMs || this.#waited.has(slug)) return false;
    if (!this.#waits.has(slug)) {
      const limitReached = (): void => {
        this.#waited.add(slug);
        void this.#loop.run();
      };
      this.#waits.set(slug, clock.after(handOverLimitMs - age, limitReached, { unref: true }));
    }
    return true;
  }
}
