import { fail } from '../../contract/fail.ts';
import type { DeviceView } from '../../contract/identity-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { type OwnAccount, type OwnAccountDeps, openOwnAccount } from './own-account.ts';
import { spokenRootFingerprint } from './root-fingerprint.ts';

/** Loaded on demand to keep startup fast. */
const loadEnrolment = () => import('../../services/puffo/device-enrolment.ts');

const notSignedUp = fail('conflict', 'identity.devicesNeedSignUp', {}, { help: 'identity.enrolNewDevice' });

export interface DevicesDeps extends OwnAccountDeps {
  readonly clock: Clock;
}

/** Devices of the operator's account: approves and revokes them. */
export class Devices {
  readonly #deps: DevicesDeps;

  constructor(deps: DevicesDeps) {
    this.#deps = deps;
  }

  async fingerprint(): Promise<Result<{ slug: string; fingerprint: string }>> {
    const own = await this.#own();
    if (!own.ok) return own;
    const { parts, session } = own.value;
    const fingerprint = await spokenRootFingerprint(parts, session.identity.secrets.root);
    return ok({ slug: session.self.slug, fingerprint });
  }

  async look(code: string) {
    const own = await this.#own();
    if (!own.ok) return own;
    const { parts, session } = own.value;
    const { lookUpRequest } = await loadEnrolment();
    const deps = { crypto: parts.crypto, clock: this.#deps.clock };
    const asking = await lookUpRequest(deps, session.self.account.client, code);
    if (!asking.ok) return asking;
    const fingerprint = await spokenRootFingerprint(parts, session.identity.secrets.root);
    return ok({ ...asking.value, slug: session.self.slug, fingerprint });
  }

  /** `words` are those that the user compared; another request under the same code is rejected. */
  async approve(code: string, words: string): Promise<Result<{ device: string }>> {
    const asking = await this.look(code);
    if (!asking.ok) return asking;
    if (asking.value.words !== words.trim().toLowerCase()) {
      return err(fail('conflict', 'identity.wrongDeviceWords'));
    }
    const own = await this.#own();
    if (!own.ok) return own;
    const { parts, session } = own.value;
    const { letJoin } = await loadEnrolment();
    const { displayName } = session.record;
    const { client } = session.self.account;
    const deps = { crypto: parts.crypto, clock: this.#deps.clock };
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
        fail('not_found', 'identity.unknownDevice', { named }, { help: 'identity.runOperatorDevices' }),
      );
    }
    if (device.current) {
      return err(fail('conflict', 'identity.currentDevice', {}, { help: 'identity.revokeFromOtherDevice' }));
    }
    const { parts, session } = own.value;
    const directory = parts.servers.directory(session.identity.serverUrl);
    if (!directory.ok) return directory;
    const { revokeDevice } = await loadEnrolment();
    const { identity, self } = session;
    const deps = { crypto: parts.crypto, clock: this.#deps.clock };
    const aheadMs = directory.value.skew.aheadMs();
    const revoked = await revokeDevice(deps, { identity, client: self.account.client, aheadMs }, device.id);
    if (revoked.ok) await directory.value.identities.verified(self.slug, 0);
    return revoked;
  }

  #own(): Promise<Result<OwnAccount>> {
    return openOwnAccount(this.#deps, notSignedUp);
  }
}
