import type { BridgeStatus } from '../../contract/bridge.ts';
import { textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { HostApi } from '../../contract/host-api.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { BridgeServer } from '../../services/bridge/bridge-server.ts';
import type { Pairing, PairingFile } from '../../services/bridge/pairing-file.ts';
import type { OpenWindow, PairingWindow } from '../../services/bridge/pairing-window.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import type { Problems } from '../problems.ts';
import type { PairingNotices } from './pairing-notices.ts';

/**
 * The local bridge, configured by daemon.yml. It listens only if a device is paired or may pair, or something
 * other than the demo is set up (T4).
 */
export interface Bridge {
  status(): BridgeStatus;
  /** `device` is the id of the only device that may pair, or `null` if the pairing code decides. */
  openPairing(device: string | null): Promise<Result<OpenWindow & { readonly url: string }>>;
  closePairing(): Promise<void>;
  /** The removed pairing, or `null` if there was none. */
  unpair(): Result<Pairing | null>;
  /** Allows the bridge to listen; changes go through `call`. */
  begin(call: HostApi['call']): void;
  /** Aligns the listener with the settings; errors become problems. */
  apply(): Promise<void>;
  stop(): Promise<void>;
}

/** The paired device, and the time in which one may pair. */
export interface BridgePairing {
  readonly file: PairingFile;
  readonly window: PairingWindow;
}

export interface OpenBridge {
  readonly host: string;
  readonly port: number;
  readonly call: HostApi['call'];
  /** Port that the listener has already, or `null`. */
  openPort(): number | null;
}

export interface BridgeDeps {
  readonly pairing: BridgePairing;
  readonly notices: PairingNotices;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly problems: Problems;
  /** Whether an operator or an agent with an identity exists here, other than the demo's. */
  isSetUp(): boolean;
  open(options: OpenBridge): Promise<Result<BridgeServer>>;
}

export function createBridge(deps: BridgeDeps): Bridge {
  return new OneBridge(deps);
}

class OneBridge implements Bridge {
  readonly #deps: BridgeDeps;
  #server: BridgeServer | null = null;
  #call: HostApi['call'] | null = null;
  /** The settings in force, as JSON. */
  #applied = '';
  #last: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
  }

  begin(call: HostApi['call']): void {
    this.#call = call;
  }

  status(): BridgeStatus {
    const { enabled } = this.#deps.settings.config().bridge;
    const paired = this.#deps.pairing.file.read();
    const window = this.#deps.pairing.window.state();
    return {
      enabled,
      url: this.#server?.url ?? null,
      note: this.#server ? '' : englishText(this.#whyClosed(enabled)),
      paired: paired && { slug: paired.slug, deviceId: paired.device_id, pairedAt: paired.paired_at },
      window: window && {
        code: window.code,
        device: window.device,
        until: window.until,
        failures: window.failures,
      },
    };
  }

  async openPairing(device: string | null): Promise<Result<OpenWindow & { readonly url: string }>> {
    if (!this.#call) return err(notRunning);
    if (!this.#deps.settings.config().bridge.enabled) return err(switchedOff);
    const window = this.#deps.pairing.window.open(device);
    await this.apply();
    const { url } = this.#server ?? { url: null };
    if (url !== null) return ok({ ...window, url });
    this.#deps.pairing.window.close();
    return err(textError('unavailable', this.#whyClosed(true)));
  }

  closePairing(): Promise<void> {
    this.#deps.pairing.window.close();
    return this.apply();
  }

  unpair(): Result<Pairing | null> {
    this.#deps.pairing.window.close();
    const before = this.#deps.pairing.file.read();
    const removed = this.#deps.pairing.file.remove();
    if (!removed.ok) return removed;
    if (before) this.#deps.notices.unpaired(before);
    return ok(before);
  }

  apply(): Promise<void> {
    if (!this.#call || this.#stopped) return this.#last;
    const wanted = this.#deps.settings.config().bridge;
    const key = wanted.enabled && this.#hasReason() ? `${wanted.bind_host}:${wanted.port}` : 'closed';
    if (key === this.#applied) return this.#last;
    this.#applied = key;
    this.#last = this.#last.then(async () => {
      await this.#close();
      const opened = key === 'closed' || this.#stopped ? ok(null) : await this.#open(wanted);
      const { problems } = this.#deps;
      if (opened.ok) problems.clear('bridge');
      else problems.set('bridge', 'warning', opened.error);
      if (opened.ok) this.#server = opened.value;
      // The next check tries again.
      else this.#applied = '';
    });
    return this.#last;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#deps.notices.stop();
    await this.#last;
    await this.#close();
  }

  #whyClosed(enabled: boolean): HostText {
    if (!this.#call) return say('programs.kennelNotRunning');
    if (!enabled) return say('programs.switchedOffInConfig');
    const problem = this.#deps.problems.list().find(({ id }) => id === 'bridge');
    return problem?.message ?? say('programs.pairingNotSetUp');
  }

  #hasReason(): boolean {
    if (this.#deps.pairing.window.state() || this.#deps.pairing.file.read()) return true;
    return this.#deps.isSetUp();
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.close();
  }

  async #open({ bind_host: host, port }: DaemonBridge): Promise<Result<BridgeServer>> {
    const call = this.#call;
    if (!call) return err(notRunning);
    return this.#deps.open({ host, port, call, openPort: () => this.#server?.port ?? null });
  }
}

type DaemonBridge = ReturnType<DaemonSettings['config']>['bridge'];

const notRunning = fail('unavailable', 'programs.pairingUnavailable', {}, { help: 'programs.startKennel' });
const switchedOff = fail('conflict', 'programs.bridgeSwitchedOff', {}, { help: 'programs.enableBridge' });
