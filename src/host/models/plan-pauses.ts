/**
 * Long waits that model servers and the plans of logins asked for, by account. They last over a restart, and the
 * operator sees until when which agents wait.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findHarness } from '../../contract/harnesses.ts';
import { utcMinute } from '../../core/lib/utc-time.ts';
import type { PauseStore } from '../../core/models/provider-gate.ts';
import { providerInfo } from '../../core/models/providers.ts';
import type { Clock, DiskPort, Log, Timer } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { Problems } from '../problems.ts';
import { recordFile } from '../stores/record-file.ts';

const fileSchema = z.object({
  version: z.literal(1),
  pauses: z.array(
    z.object({
      /** sha256 of the account, which contains the key. */
      account: z.string().regex(/^[0-9a-f]{64}$/),
      provider: z.string().max(100),
      /** ms since the epoch. */
      until: z.number(),
    }),
  ),
});
type Pause = z.output<typeof fileSchema>['pauses'][number];

export interface PlanPausesDeps {
  readonly clock: Clock;
  readonly disk: DiskPort;
  readonly path: string;
  readonly log: Log;
  readonly problems: Problems;
  /** Names of the agents that use the account. */
  usersOf(isAccount: (account: string) => boolean): readonly string[];
}

export interface PlanPauses extends PauseStore {
  /** Shows the waits of the last run; call once the agents are known. */
  begin(): void;
  stop(): void;
}

const hashOf = (account: string): string => createHash('sha256').update(account).digest('hex');

export function createPlanPauses(deps: PlanPausesDeps): PlanPauses {
  return new KeptPauses(deps);
}

class KeptPauses implements PlanPauses {
  readonly #deps: PlanPausesDeps;
  readonly #file;
  /** `null` until first read: most hosts never have a pause. */
  #pauses: Map<string, Pause> | null = null;
  #timer: Timer | null = null;

  constructor(deps: PlanPausesDeps) {
    this.#deps = deps;
    this.#file = recordFile(deps.disk, deps.path, fileSchema);
  }

  until(account: string): number | null {
    const pauses = this.#all();
    return pauses.size === 0 ? null : (pauses.get(hashOf(account))?.until ?? null);
  }

  set(account: string, untilMs: number): void {
    const [provider = ''] = account.split(' ');
    const hash = hashOf(account);
    this.#all().set(hash, { account: hash, provider, until: untilMs });
    this.#write();
    this.#show();
  }

  begin(): void {
    this.#show();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  #all(): Map<string, Pause> {
    if (this.#pauses) return this.#pauses;
    const found = this.#file.read();
    if (!found.ok) this.#deps.log.warn('plan_pauses_unreadable', { error: found.error });
    const pauses = (found.ok && found.value?.pauses) || [];
    this.#pauses = new Map(pauses.map((pause) => [pause.account, pause]));
    return this.#pauses;
  }

  #write(): void {
    const written = this.#file.write({ version: 1, pauses: [...this.#all().values()] });
    if (!written.ok) this.#deps.log.warn('plan_pauses_not_saved', { error: written.error });
  }

  /** Shows what is in force, and forgets what is over. */
  #show(): void {
    this.stop();
    const { clock, problems } = this.#deps;
    const now = clock.now();
    const pauses = this.#all();
    let isChanged = false;
    for (const { account, until } of [...pauses.values()]) {
      if (until > now) continue;
      pauses.delete(account);
      problems.clear(problemId(account));
      isChanged = true;
    }
    if (isChanged) this.#write();
    for (const pause of pauses.values()) this.#tell(pause);
    const next = Math.min(...[...pauses.values()].map(({ until }) => until));
    if (Number.isFinite(next))
      this.#timer = clock.after(Math.min(next - now, longestTimerMs), () => this.#show(), { unref: true });
  }

  #tell({ account, provider, until }: Pause): void {
    const names = this.#deps.usersOf((one) => hashOf(one) === account);
    this.#deps.problems.set(problemId(account), 'warning', {
      message: say('models.planPaused', {
        provider: providerInfo(provider)?.name ?? findHarness(provider)?.title ?? provider,
        until: utcMinute(until),
      }),
      ...(names.length === 0 ? {} : { hint: say('models.planPausedAgents', { names: names.join(', ') }) }),
    });
  }
}

/** ms; the system may sleep, so the wall clock is read again. */
const longestTimerMs = 60_000;

const problemId = (account: string): string => `plan-paused-${account.slice(0, 12)}`;
