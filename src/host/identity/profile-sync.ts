import { z } from 'zod';
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { backoffMs } from '../../core/lib/backoff.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { Clock, DiskPort, Random, Timer } from '../../core/ports.ts';
import { roleLimit } from '../../core/puffo/role.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type {
  ProfileField,
  ProfilePush,
  PushOutcome,
  RemoteProfile,
} from '../../services/puffo/profile-sync.ts';
import type { Problems } from '../problems.ts';
import { type RecordFile, recordFile } from '../stores/record-file.ts';
import { type FindProfileHolder, operatorProfile, type ProfileHolder } from './profile-holder.ts';

/** Fields that the server does not have yet; their values are read when they are sent. */
const pendingSchema = z.object({
  fields: z.array(z.enum(['displayName', 'role', 'roleShort'])),
  picture: z.boolean(),
  uploadedUrl: z.string().nullable(),
  /** ms by this computer's clock. */
  editedAt: z.number(),
});
type Pending = z.infer<typeof pendingSchema>;

const retryPolicy = { firstMs: 5_000, maxMs: 300_000 };
const maxPictureChars = 6 * 1024 * 1024;
/** Smaller clock differences are ignored, because the server's time has a resolution of seconds. */
const sameClockMs = 5_000;
const problemId = (agentId: string): string => `profile-${agentId}`;

const quoted = (texts: readonly (string | undefined)[]): string =>
  texts.map((text) => JSON.stringify(cutCodePoints(text ?? '', roleLimit))).join(', ');

const away = say('identity.agentSyncsLater');
const ownAway = say('identity.youSyncLater');

export interface ProfileSyncDeps {
  readonly findHolder: FindProfileHolder;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly clock: Clock;
  readonly random: Random;
  /** ms that this computer's clock is ahead of the server's. */
  aheadMs(serverUrl: string): Promise<number>;
}

/** Sends saved profile edits of agents and operator to their servers. */
export class ProfileSync {
  readonly #deps: ProfileSyncDeps;
  readonly #retries = new Map<string, { timer: Timer | null; attempts: number }>();
  readonly #running = new Map<string, Promise<HostText>>();
  /** The server's time, in ms, of this host's own last change. */
  readonly #ownChange = new Map<string, number>();
  #stopped = false;

  constructor(deps: ProfileSyncDeps) {
    this.#deps = deps;
  }

  /** Call it before the local file changes, so that a crash cannot lose the update for the server. */
  noted(id: string, fields: readonly ProfileField[], picture: Uint8Array | null): Result<void> {
    if (fields.length === 0 && picture === null) return ok(undefined);
    const { disk, clock } = this.#deps;
    const holder = this.#holder(id);
    const file = this.#file(id);
    if (holder === null || file === null) return err(fail('not_found', 'identity.profileGone'));
    const before = this.#pending(id);
    if (picture !== null) {
      const kept = disk.write(holder.pendingPicture, Buffer.from(picture).toString('base64'));
      if (!kept.ok) return kept;
    }
    return file.write({
      fields: [...new Set([...(before?.fields ?? []), ...fields])],
      picture: picture !== null || (before?.picture ?? false),
      uploadedUrl: picture === null ? (before?.uploadedUrl ?? null) : null,
      editedAt: Math.max(clock.now(), (before?.editedAt ?? 0) + 1),
    });
  }

  /**
   * Tries once. Returns an empty text if the server has the change, else a sentence for the user; retries run
   * automatically.
   */
  push(id: string): Promise<HostText> {
    if (this.#stopped) return Promise.resolve('');
    const before: Promise<HostText> = this.#running.get(id) ?? Promise.resolve('');
    const next: Promise<HostText> = before
      .then(() => this.#attempt(id))
      .finally(() => {
        if (this.#running.get(id) === next) this.#running.delete(id);
      });
    this.#running.set(id, next);
    return next;
  }

  /** Call it when the account is online. */
  online(id: string): void {
    if (this.#pending(id)) void this.push(id);
  }

  /** Fields that the server does not have; `since` is in ms by this computer's clock. */
  waiting(id: string): { fields: (ProfileField | 'picture')[]; since: number | null } {
    const pending = this.#pending(id);
    if (!pending) return { fields: [], since: null };
    return {
      fields: [...pending.fields, ...(pending.picture ? (['picture'] as const) : [])],
      since: pending.editedAt,
    };
  }

  stop(): void {
    this.#stopped = true;
    for (const { timer } of this.#retries.values()) timer?.cancel();
    this.#retries.clear();
  }

  #holder(id: string): ProfileHolder | null {
    return this.#deps.findHolder(id);
  }

  #file(id: string): RecordFile<Pending> | null {
    const holder = this.#holder(id);
    return holder && recordFile(this.#deps.disk, holder.pendingFile, pendingSchema);
  }

  #pending(id: string): Pending | null {
    const read = this.#file(id)?.read();
    return read?.ok ? read.value : null;
  }

  #picture({ pendingPicture }: ProfileHolder): Uint8Array | null {
    const read = this.#deps.disk.readText(pendingPicture, maxPictureChars);
    return read.ok && read.value !== null ? new Uint8Array(Buffer.from(read.value, 'base64')) : null;
  }

  #settle(id: string): void {
    this.#retries.get(id)?.timer?.cancel();
    this.#retries.delete(id);
    const holder = this.#holder(id);
    if (holder) this.#deps.disk.remove(holder.pendingPicture);
    this.#file(id)?.remove();
  }

  #warn(id: string, why: HostText, hint: HostText): HostText {
    const name = this.#holder(id)?.name ?? id;
    this.#deps.problems.set(problemId(id), 'warning', {
      message: say('host.about', { name, why }),
      hint,
    });
    return why;
  }

  #later(id: string): void {
    const state = this.#retries.get(id) ?? { timer: null, attempts: 0 };
    state.timer?.cancel();
    const { clock, random } = this.#deps;
    const wait = backoffMs(retryPolicy, state.attempts, random.fraction());
    state.attempts += 1;
    state.timer = clock.after(wait, () => void this.push(id), { unref: true });
    this.#retries.set(id, state);
  }

  #values(id: string, { fields }: Pending): ProfilePush['values'] {
    const all = this.#holder(id)?.values;
    return all ? Object.fromEntries(fields.map((field) => [field, all[field]])) : {};
  }

  async #attempt(id: string): Promise<HostText> {
    const pending = this.#pending(id);
    const holder = this.#holder(id);
    if (!pending || !holder || this.#stopped) return '';
    if (!holder.registered) {
      // The registration includes the names; later edits are sent after it.
      return pending.picture ? away : '';
    }
    const { account } = holder;
    if (account?.connection().state !== 'online') {
      return this.#warn(id, id === operatorProfile ? ownAway : away, say('identity.goesOnByItself'));
    }
    const { pushProfile } = await import('../../services/puffo/profile-sync.ts');
    const editedAt = pending.editedAt - (await this.#aheadMs(holder.serverUrl));
    const pushed = await pushProfile(account, {
      values: this.#values(id, pending),
      picture: pending.picture ? this.#picture(holder) : null,
      serverUrl: holder.serverUrl,
      uploadedUrl: pending.uploadedUrl,
      editedAt: Math.max(editedAt, this.#ownChange.get(id) ?? 0),
      onUploaded: (uploadedUrl) => this.#uploaded(id, pending, uploadedUrl),
    });
    if (pushed.ok) return this.#finished(id, pending, pushed.value);
    const { error, transient } = pushed.error;
    if (transient) {
      this.#later(id);
      const why = say('identity.serverDoesNotKnow', { why: messageOf(error) });
      return this.#warn(id, why, say('identity.triesAgain'));
    }
    this.#settle(id);
    return this.#warn(
      id,
      say('identity.serverRefuses', { why: messageOf(error) }),
      say('identity.changeAndSave'),
    );
  }

  #uploaded(id: string, { editedAt }: Pending, uploadedUrl: string): void {
    const now = this.#pending(id);
    if (now?.editedAt === editedAt) this.#file(id)?.write({ ...now, uploadedUrl });
  }

  #finished(id: string, pending: Pending, outcome: PushOutcome): HostText {
    if (outcome.type === 'overtaken') return this.#overtaken(id, pending, outcome.remote);
    this.#ownChange.set(id, outcome.updatedAt);
    if (outcome.avatarUrl !== null) {
      const saved = this.#holder(id)?.savePicture(outcome.avatarUrl);
      if (saved && !saved.ok) return this.#warn(id, messageOf(saved.error), say('identity.isTriedAgain'));
    }
    if (this.#pending(id)?.editedAt !== pending.editedAt) {
      // A newer edit is sent next.
      this.#later(id);
      return away;
    }
    this.#settle(id);
    this.#deps.problems.clear(problemId(id));
    return '';
  }

  /**
   * A later change elsewhere wins at the server, and the user is told. It is never copied here: name and role
   * are part of the agent's prompt, which only the operator may change (T9).
   */
  #overtaken(id: string, pending: Pending, remote: RemoteProfile): HostText {
    const mine = Object.entries(this.#values(id, pending));
    const theirs = mine.map(([field]) => remote[field as ProfileField]);
    const message = say('identity.profileOvertaken', {
      mine: quoted(mine.map(([, text]) => text)),
      theirs: quoted(theirs),
    });
    this.#settle(id);
    return this.#warn(id, message, say('identity.editAgain'));
  }

  async #aheadMs(serverUrl: string): Promise<number> {
    const ahead = await this.#deps.aheadMs(serverUrl);
    return Math.abs(ahead) < sameClockMs ? 0 : ahead;
  }
}
