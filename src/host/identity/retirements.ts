/**
 * Ends deleted and archived agents at their server: a running agent leaves its spaces and revokes its device;
 * the operator's revocation is saved until the server has it, through restarts, days offline and a locked
 * vault.
 */
import { z } from 'zod';
import type { Result } from '../../contract/result.ts';
import { backoffMs } from '../../core/lib/backoff.ts';
import type { Timer } from '../../core/ports.ts';
import { createOperatorRevocation } from '../../core/puffo/certificates.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import { recordFile } from '../record-file.ts';
import { readPublicIdentity } from './public-certs.ts';
import { mayHeal } from './registrations.ts';

const pendingSchema = z.array(
  z.object({ slug: z.string(), serverUrl: z.string(), agentRootPublicKey: z.string(), at: z.number() }),
);
type Pending = z.infer<typeof pendingSchema>[number];

const retryPolicy = { firstMs: 5_000, maxMs: 300_000 };
/** ms limit for the agent's own calls to its server. */
const leaveLimitMs = 8_000;
/** ms after which archiving or deleting continues without the server's answer. */
const tellLimitMs = 5_000;

/** Work left after the agent's files are gone. */
export interface Retirement {
  finish(): Promise<void>;
  /** The agent was not archived or deleted after all. */
  cancel(): void;
}

const nothing: Retirement = { finish: async () => undefined, cancel: () => undefined };

/** ms that this computer's clock is ahead of the server's, or 0. */
function aheadMs(parts: OpenParts, serverUrl: string): number {
  const directory = parts.servers.directory(parts.currentUrl(serverUrl));
  return directory.ok ? Math.max(0, directory.value.skew.aheadMs()) : 0;
}

async function leaveSpaces(account: Account, operatorSlug: string | null): Promise<void> {
  await account.refreshRooms();
  for (const { id, role } of account.rooms().spaces) {
    if (role === 'owner' && operatorSlug !== null) await account.spaces.setRole(id, operatorSlug, 'owner');
    await account.spaces.leave(id);
  }
}

export class Retirements {
  readonly #context: () => HostContext;
  #attempts = 0;
  #again: Timer | null = null;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Slugs of agents that are being archived or deleted, or were since this start. */
  readonly #ending = new Set<string>();

  constructor(context: () => HostContext) {
    this.#context = context;
  }

  /** Call it before the files go. `account` is `null` if the agent does not run. Never fails the removal. */
  async begin(agentId: string, account: Account | null): Promise<Retirement> {
    const context = this.#context();
    const agent = context.agents.get(agentId);
    if (!agent?.lastGood) return nothing;
    const { slug, server_url: serverUrl } = configInForce(agent).puffo_core;
    if (slug === '') return nothing;
    const folder = context.layout.agentKeys(agentId);
    const known = readPublicIdentity(context.disk, folder, slug);
    if (known !== null) {
      this.#ending.add(slug);
      this.#keep(slug, serverUrl, known.rootPublicKey);
    }
    if (account?.connection().state === 'online') {
      const parts = await context.openParts();
      const identity = parts.ok ? parts.value.keys.loadIdentity(folder, slug) : parts;
      if (parts.ok && identity.ok) await this.#leave(parts.value, identity.value, account);
    }
    return { finish: () => this.#atMost(tellLimitMs, this.#pass()), cancel: () => this.#cancel(slug) };
  }

  online(): void {
    void this.#pass();
  }

  stop(): void {
    this.#stopped = true;
    this.#again?.cancel();
  }

  #file() {
    const { disk, layout } = this.#context();
    return recordFile(disk, layout.retiredAgents, pendingSchema);
  }

  #pending(): readonly Pending[] {
    const read = this.#file().read();
    return read.ok ? (read.value ?? []) : [];
  }

  #save(pending: readonly Pending[]): Result<void> {
    return pending.length === 0 ? this.#file().remove() : this.#file().write([...pending]);
  }

  #drop(slug: string): void {
    this.#save(this.#pending().filter((one) => one.slug !== slug));
  }

  #cancel(slug: string): void {
    this.#ending.delete(slug);
    this.#drop(slug);
  }

  #keep(slug: string, serverUrl: string, agentRootPublicKey: string): void {
    const others = this.#pending().filter((one) => one.slug !== slug);
    const at = this.#context().ports.clock.now();
    const saved = this.#save([...others, { slug, serverUrl, agentRootPublicKey, at }]);
    if (!saved.ok) this.#context().ports.log.warn('retirement_not_kept', { slug, code: saved.error.code });
  }

  async #leave(parts: OpenParts, identity: Identity, account: Account): Promise<void> {
    const { clock, log } = this.#context().ports;
    const operator = this.#context().operator.session()?.self.slug ?? null;
    const leaving = async (): Promise<void> => {
      await leaveSpaces(account, operator);
      const { revokeDevice } = await import('../../services/puffo/device-enrolment.ts');
      const own = { client: account.client, identity, aheadMs: aheadMs(parts, identity.serverUrl) };
      const revoked = await revokeDevice({ crypto: parts.crypto, clock }, own, identity.deviceId);
      if (!revoked.ok) log.warn('device_not_revoked', { slug: identity.slug, code: revoked.error.code });
    };
    await this.#atMost(
      leaveLimitMs,
      leaving().catch((error: unknown) => log.warn('leave_failed', { error })),
    );
  }

  /** Returns after `ms` at the latest; the work continues. */
  async #atMost(ms: number, work: Promise<void>): Promise<void> {
    let giveUp: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const timer = this.#context().ports.clock.after(ms, giveUp, { unref: true });
    await Promise.race([work, late]);
    timer.cancel();
  }

  #pass(): Promise<void> {
    this.#running = this.#running
      .then(() => this.#tellServer())
      .catch((error: unknown) => this.#context().ports.log.error('retirement_failed', { error }));
    return this.#running;
  }

  async #tellServer(): Promise<void> {
    this.#again?.cancel();
    let open = false;
    for (const pending of this.#pending()) {
      if (this.#stopped) return;
      const told = await this.#tell(pending);
      if (told.ok) this.#drop(pending.slug);
      else open = open || told.error === 'later';
    }
    this.#attempts = open ? this.#attempts + 1 : 0;
    if (!open || this.#stopped) return;
    const { clock, random } = this.#context().ports;
    const wait = backoffMs(retryPolicy, this.#attempts, random.fraction());
    this.#again = clock.after(wait, () => void this.#pass(), { unref: true });
  }

  /** `not-here` if it waits for another server, or for the agent's files to go. */
  async #tell(pending: Pending): Promise<{ ok: true } | { ok: false; error: 'later' | 'not-here' }> {
    const { agents, operator, ports } = this.#context();
    const session = operator.session();
    const present = agents.list();
    const isPresent = present.some(({ lastGood }) => lastGood?.puffo_core.slug === pending.slug);
    // A crash before the removal left the entry: the agent stays, and so does its identity.
    if (isPresent && !this.#ending.has(pending.slug)) return { ok: true };
    const isUnclear = isPresent || present.some(({ lastGood }) => lastGood === null);
    if (isUnclear || session === null) return { ok: false, error: 'not-here' };
    const parts = await this.#context().openParts();
    if (!parts.ok) return { ok: false, error: 'later' };
    if (parts.value.currentUrl(pending.serverUrl) !== session.identity.serverUrl)
      return { ok: false, error: 'not-here' };
    const { crypto } = parts.value;
    // By the server's clock: a revocation dated in the future would be rejected or take effect late.
    const now = ports.clock.now() - aheadMs(parts.value, session.identity.serverUrl);
    const body = createOperatorRevocation(crypto, crypto.ed25519KeyPair(session.identity.secrets.root), {
      agentRootPublicKey: pending.agentRootPublicKey,
      effectiveFrom: Math.min(pending.at, now),
      issuedAt: now,
    });
    const target = `/agents/${encodeURIComponent(pending.slug)}/operator/revoke`;
    const { client } = session.self.account;
    const answer = await client.json('POST', target, z.unknown(), { body });
    if (answer.ok) return { ok: true };
    if (mayHeal(answer.error.code)) return { ok: false, error: 'later' };
    // Another operator's agent, or a server without this route: the agent itself did what it could.
    ports.log.warn('agent_not_retired', { slug: pending.slug, code: answer.error.code });
    return { ok: true };
  }
}
