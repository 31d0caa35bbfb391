import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock, CryptoEngine, DiskPort } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { PendingDevice } from '../../services/puffo/device-enrolment.ts';
import type { NewOperator } from './new-operator.ts';
import type { OpenParts } from './operator.ts';
import { spokenRootFingerprint } from './root-fingerprint.ts';
import { type SealedFile, sealedFile } from './sealed-file.ts';

/** Loaded on demand to keep startup fast. */
const loadEnrolment = () => import('../../services/puffo/device-enrolment.ts');

const notBegun = fail('not_found', 'identity.noJoinRequest', {}, { help: 'identity.runOperatorEnrol' });
const historyNote =
  'What was said before this device joined stays on your other device: it cannot be read here.';

const waitMs = 20_000;
const pollMs = 1_000;

export interface DeviceEnrolmentDeps {
  readonly newOperator: NewOperator;
  readonly disk: DiskPort;
  /** Path of the keys of a device that is not admitted yet. */
  readonly draftFile: string;
  readonly clock: Clock;
}

/** Joins an account that the operator has on another device. */
export class DeviceEnrolment {
  readonly #deps: DeviceEnrolmentDeps;
  #ready: { readonly identity: Identity; readonly displayName: string } | null = null;

  constructor(deps: DeviceEnrolmentDeps) {
    this.#deps = deps;
  }

  async begin(serverUrl: string): Promise<Result<{ code: string; words: string; until: number }>> {
    const draft = await this.#openDraft(true);
    if (!draft.ok) return draft;
    const { parts, file } = draft.value;
    const { askToJoin } = await loadEnrolment();
    this.#ready = null;
    const deps = { crypto: parts.crypto, clock: this.#deps.clock };
    return askToJoin(deps, serverUrl.replace(/\/+$/, ''), (pending) => file.write(JSON.stringify(pending)));
  }

  async wait(): Promise<Result<{ state: 'waiting' | 'ready' | 'ended'; slug: string; fingerprint: string }>> {
    const draft = await this.#openDraft(false);
    if (!draft.ok) return draft;
    const { parts, file } = draft.value;
    const pending = await readPending(file);
    if (!pending.ok) return pending;
    const { clock } = this.#deps;
    const deps = { crypto: parts.crypto, clock };
    const end = clock.monotonic() + waitMs;
    for (;;) {
      const looked = await this.#lookWhetherJoined(deps, pending.value);
      if (!looked.ok) return looked;
      const state = looked.value;
      if (this.#ready) {
        const { slug, secrets } = this.#ready.identity;
        return ok({
          state: 'ready',
          slug,
          fingerprint: await spokenRootFingerprint(parts, secrets.root),
        });
      }
      if (state === 'ended') file.remove();
      if (state === 'ended' || clock.monotonic() >= end) return ok({ state, slug: '', fingerprint: '' });
      await new Promise<void>((resolve) => clock.after(pollMs, resolve));
    }
  }

  /**
   * The first answer stays in force: the user accepts what was shown, whatever the server answers later (T7).
   */
  async #lookWhetherJoined(
    deps: { readonly crypto: CryptoEngine; readonly clock: Clock },
    pending: PendingDevice,
  ): Promise<Result<'waiting' | 'ended'>> {
    const { lookWhetherJoined } = await loadEnrolment();
    const joining = this.#ready ? null : await lookWhetherJoined(deps, pending);
    if (joining && !joining.ok) return joining;
    if (joining?.value.state === 'ready') this.#ready ??= joining.value;
    return ok(joining?.value.state === 'ended' ? 'ended' : 'waiting');
  }

  async finish(accept: boolean): Promise<Result<{ slug: string | null; note: string }>> {
    const draft = await this.#openDraft(false);
    if (!draft.ok) return draft;
    const { parts, file } = draft.value;
    const ready = this.#ready;
    this.#ready = null;
    if (!accept) {
      const removed = file.remove();
      const told = ready ? 'The other device has let this one in: revoke it there.' : '';
      return removed.ok ? ok({ slug: null, note: told }) : removed;
    }
    if (!ready) return err(notBegun);
    const adopted = await this.#deps.newOperator.adopt(parts, ready.identity, ready.displayName);
    if (!adopted.ok) return adopted;
    file.remove();
    return ok({ slug: ready.identity.slug, note: historyNote });
  }

  async #openDraft(
    createsVault: boolean,
  ): Promise<Result<{ readonly parts: OpenParts; readonly file: SealedFile }>> {
    const { newOperator, disk, draftFile } = this.#deps;
    const present = newOperator.present();
    if (!present.ok) return present;
    if (present.value !== null) {
      return err(fail('conflict', 'identity.kennelTaken', { present: present.value }));
    }
    if (!createsVault && newOperator.vaultState() === 'none') return err(notBegun);
    const parts = await newOperator.openVault(createsVault);
    if (!parts.ok) return parts;
    const file = sealedFile(disk, parts.value.keys, draftFile, 'identity/new-device');
    return ok({ parts: parts.value, file });
  }
}

async function readPending(file: SealedFile): Promise<Result<PendingDevice>> {
  const text = file.read();
  if (!text.ok) return text;
  if (text.value === null) return err(notBegun);
  const { pendingDeviceSchema } = await loadEnrolment();
  const parsed = pendingDeviceSchema.safeParse(JSON.parse(text.value));
  return parsed.success ? ok(parsed.data) : err(fail('corrupt', 'identity.deviceKeysDamaged'));
}
