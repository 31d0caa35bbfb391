import { appError } from '../../contract/errors.ts';
import type { DeviceView } from '../../contract/identity-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { PendingDevice } from '../../services/puffo/device-enrolment.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts, OperatorSession } from '../operator.ts';
import { type SealedFile, sealedFile } from './sealed-file.ts';

// Loaded on demand to keep startup fast.
const loadEnrolment = () => import('../../services/puffo/device-enrolment.ts');
const loadFingerprints = () => import('../../core/puffo/enrolment.ts');

interface Place {
  readonly parts: OpenParts;
  readonly file: SealedFile;
}

const nobody = appError('conflict', 'You are not signed up here, so there is nothing to let a device into.', {
  hint: 'On a new device, run "kennel operator enrol --server URL".',
});
const notBegun = appError('not_found', 'This device has not asked to join an account.', {
  hint: 'Run "kennel operator enrol --server URL".',
});
const historyNote =
  'What was said before this device joined stays on your other device: it cannot be read here.';

const waitMs = 20_000;
const pollMs = 1_000;

/** Devices of the operator's account: joins an account from here, approves and revokes devices. */
export class Devices {
  readonly #context: () => HostContext;
  #ready: { readonly identity: Identity; readonly displayName: string } | null = null;

  constructor(context: () => HostContext) {
    this.#context = context;
  }

  async begin(serverUrl: string): Promise<Result<{ code: string; words: string; until: number }>> {
    const place = await this.#newPlace(true);
    if (!place.ok) return place;
    const { parts, file } = place.value;
    const { askToJoin } = await loadEnrolment();
    this.#ready = null;
    const deps = { crypto: parts.crypto, clock: this.#context().ports.clock };
    return askToJoin(deps, serverUrl.replace(/\/+$/, ''), (pending) => file.write(JSON.stringify(pending)));
  }

  async wait(): Promise<Result<{ state: 'waiting' | 'ready' | 'ended'; slug: string; fingerprint: string }>> {
    const place = await this.#newPlace(false);
    if (!place.ok) return place;
    const pending = await this.#pending(place.value.file);
    if (!pending.ok) return pending;
    const { clock } = this.#context().ports;
    const deps = { crypto: place.value.parts.crypto, clock };
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
          fingerprint: await fingerprintOf(place.value.parts, secrets.root),
        });
      }
      if (state === 'ended') place.value.file.remove();
      if (state === 'ended' || clock.monotonic() >= end) return ok({ state, slug: '', fingerprint: '' });
      await new Promise<void>((resolve) => clock.after(pollMs, resolve));
    }
  }

  /**
   * The first answer stays in force: the user accepts what was shown, whatever the server answers later (T7).
   */
  async #lookWhetherJoined(
    deps: Pick<OpenParts, 'crypto'> & Pick<HostContext['ports'], 'clock'>,
    pending: PendingDevice,
  ): Promise<Result<'waiting' | 'ended'>> {
    const { lookWhetherJoined } = await loadEnrolment();
    const joining = this.#ready ? null : await lookWhetherJoined(deps, pending);
    if (joining && !joining.ok) return joining;
    if (joining?.value.state === 'ready') this.#ready ??= joining.value;
    return ok(joining?.value.state === 'ended' ? 'ended' : 'waiting');
  }

  async finish(accept: boolean): Promise<Result<{ slug: string | null; note: string }>> {
    const place = await this.#newPlace(false);
    if (!place.ok) return place;
    const ready = this.#ready;
    this.#ready = null;
    if (!accept) {
      const removed = place.value.file.remove();
      const told = ready ? 'The other device has let this one in: revoke it there.' : '';
      return removed.ok ? ok({ slug: null, note: told }) : removed;
    }
    if (!ready) return err(notBegun);
    const { operator, fleet, chat, viewChanged } = this.#context();
    const adopted = await operator.adopt(place.value.parts, ready.identity, ready.displayName);
    if (!adopted.ok) return adopted;
    place.value.file.remove();
    fleet.begin(place.value.parts);
    chat.reset();
    viewChanged();
    return ok({ slug: ready.identity.slug, note: historyNote });
  }

  async fingerprint(): Promise<Result<{ slug: string; fingerprint: string }>> {
    const own = await this.#own();
    if (!own.ok) return own;
    const { parts, session } = own.value;
    const fingerprint = await fingerprintOf(parts, session.identity.secrets.root);
    return ok({ slug: session.self.slug, fingerprint });
  }

  async look(code: string) {
    const own = await this.#own();
    if (!own.ok) return own;
    const { parts, session } = own.value;
    const { lookUpRequest } = await loadEnrolment();
    const deps = { crypto: parts.crypto, clock: this.#context().ports.clock };
    const asking = await lookUpRequest(deps, session.self.account.client, code);
    if (!asking.ok) return asking;
    const fingerprint = await fingerprintOf(parts, session.identity.secrets.root);
    return ok({ ...asking.value, slug: session.self.slug, fingerprint });
  }

  /** `words` are those that the user compared; another request under the same code is rejected. */
  async approve(code: string, words: string): Promise<Result<{ device: string }>> {
    const asking = await this.look(code);
    if (!asking.ok) return asking;
    if (asking.value.words !== words.trim().toLowerCase()) {
      return err(appError('conflict', 'These are not the words of the device that asks now. Look again.'));
    }
    const own = await this.#own();
    if (!own.ok) return own;
    const { parts, session } = own.value;
    const { letJoin } = await loadEnrolment();
    const { displayName } = session.record;
    const { client } = session.self.account;
    const deps = { crypto: parts.crypto, clock: this.#context().ports.clock };
    const joined = await letJoin(
      deps,
      { client, identity: session.identity, displayName },
      asking.value.request,
    );
    return joined.ok ? ok({ device: joined.value }) : joined;
  }

  async list(): Promise<Result<readonly DeviceView[]>> {
    const own = await this.#own();
    if (!own.ok) return own;
    const { parts, session } = own.value;
    const directory = parts.servers.directory(session.identity.serverUrl);
    if (!directory.ok) return directory;
    const known = await directory.value.identities.verified(session.self.slug, 0);
    if (!known.ok) return err(known.error.error);
    const devices = known.value.devices.map(({ deviceId, issuedAt, revokedFrom }) => ({
      id: deviceId,
      createdAt: issuedAt,
      current: deviceId === session.identity.deviceId,
      revokedAt: revokedFrom,
    }));
    return ok(devices.sort((a, b) => a.createdAt - b.createdAt));
  }

  /** `named` is a device id or a unique prefix of one. */
  async revoke(named: string): Promise<Result<void>> {
    const own = await this.#own();
    const devices = await this.list();
    if (!own.ok) return own;
    if (!devices.ok) return devices;
    const fitting = devices.value.filter(({ id }) => id === named || id.startsWith(named));
    const [device] = fitting;
    if (!device || fitting.length > 1) {
      return err(
        appError('not_found', `You have no device "${named}".`, { hint: 'See "kennel operator devices".' }),
      );
    }
    if (device.current) {
      return err(
        appError('conflict', 'That is the device you are at.', {
          hint: 'Revoke it from another of your devices.',
        }),
      );
    }
    const { parts, session } = own.value;
    const directory = parts.servers.directory(session.identity.serverUrl);
    if (!directory.ok) return directory;
    const { revokeDevice } = await loadEnrolment();
    const { identity, self } = session;
    const deps = { crypto: parts.crypto, clock: this.#context().ports.clock };
    const aheadMs = directory.value.skew.aheadMs();
    const revoked = await revokeDevice(deps, { identity, client: self.account.client, aheadMs }, device.id);
    if (revoked.ok) await directory.value.identities.verified(self.slug, 0);
    return revoked;
  }

  async #newPlace(forReal: boolean): Promise<Result<Place>> {
    const { operator, secrets, openParts, disk, layout } = this.#context();
    const someone = operator.record();
    if (!someone.ok) return someone;
    if (someone.value) {
      return err(appError('conflict', `This Kennel belongs to ${someone.value.slug} already.`));
    }
    if (!forReal && secrets.state() === 'none') return err(notBegun);
    const vault = forReal ? await secrets.openForReal() : ok(undefined);
    if (!vault.ok) return vault;
    const parts = await openParts();
    if (!parts.ok) return parts;
    const file = sealedFile(disk, parts.value.keys, layout.deviceDraft, 'identity/new-device');
    return ok({ parts: parts.value, file });
  }

  async #pending(file: SealedFile): Promise<Result<PendingDevice>> {
    const text = file.read();
    if (!text.ok) return text;
    if (text.value === null) return err(notBegun);
    const { pendingDeviceSchema } = await loadEnrolment();
    const parsed = pendingDeviceSchema.safeParse(JSON.parse(text.value));
    return parsed.success
      ? ok(parsed.data)
      : err(appError('corrupt', 'The keys of this device are damaged; begin again.'));
  }

  async #own(): Promise<Result<{ parts: OpenParts; session: OperatorSession }>> {
    const session = this.#context().operator.session();
    if (!session) return err(nobody);
    const parts = await this.#context().openParts();
    return parts.ok ? ok({ parts: parts.value, session }) : parts;
  }
}

async function fingerprintOf({ crypto }: OpenParts, rootSecret: Uint8Array): Promise<string> {
  const { spokenFingerprint } = await loadFingerprints();
  return spokenFingerprint(crypto, crypto.ed25519KeyPair(rootSecret).public);
}
