import type { BridgeStatus } from '../../contract/bridge.ts';
import { appError } from '../../contract/errors.ts';
import type { HostApi } from '../../contract/host-api.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isConfigured } from '../../core/agents/agent-config.ts';
import type { Timer } from '../../core/ports.ts';
import type { BridgeServer } from '../../services/bridge/bridge-server.ts';
import { createPairingFile, type Pairing, type PairingFile } from '../../services/bridge/pairing-file.ts';
import {
  createPairingWindow,
  type OpenWindow,
  type PairingWindow,
} from '../../services/bridge/pairing-window.ts';
import type { HostContext } from '../context.ts';
import { demoFile } from '../demo/demo.ts';

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

export function createBridge(context: () => HostContext): Bridge {
  return new OneBridge(context);
}

const noticeMs = 10 * 60_000;

class OneBridge implements Bridge {
  readonly #look: () => HostContext;
  #window: PairingWindow | null = null;
  #file: PairingFile | null = null;
  #server: BridgeServer | null = null;
  #call: HostApi['call'] | null = null;
  /** The settings in force, as JSON. */
  #applied = '';
  #last: Promise<void> = Promise.resolve();
  #notice: Timer | null = null;
  #stopped = false;

  constructor(look: () => HostContext) {
    this.#look = look;
  }

  get #pairing(): PairingFile {
    this.#file ??= createPairingFile(this.#look().disk, this.#look().layout.pairing);
    return this.#file;
  }

  get #opening(): PairingWindow {
    const { clock, random } = this.#look().ports;
    this.#window ??= createPairingWindow(clock, random);
    return this.#window;
  }

  begin(call: HostApi['call']): void {
    this.#call = call;
  }

  status(): BridgeStatus {
    const { enabled } = this.#look().settings.config().bridge;
    const paired = this.#pairing.read();
    const window = this.#opening.state();
    return {
      enabled,
      url: this.#server?.url ?? null,
      note: this.#server ? '' : this.#whyClosed(enabled),
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
    if (!this.#look().settings.config().bridge.enabled) return err(switchedOff);
    const window = this.#opening.open(device);
    await this.apply();
    const { url } = this.#server ?? { url: null };
    if (url !== null) return ok({ ...window, url });
    this.#opening.close();
    return err(appError('unavailable', this.#whyClosed(true)));
  }

  closePairing(): Promise<void> {
    this.#opening.close();
    return this.apply();
  }

  unpair(): Result<Pairing | null> {
    this.#opening.close();
    const before = this.#pairing.read();
    const removed = this.#pairing.remove();
    if (!removed.ok) return removed;
    if (before) this.#unpaired(before);
    return ok(before);
  }

  apply(): Promise<void> {
    if (!this.#call || this.#stopped) return this.#last;
    const wanted = this.#look().settings.config().bridge;
    const key = wanted.enabled && this.#hasReason() ? `${wanted.bind_host}:${wanted.port}` : 'closed';
    if (key === this.#applied) return this.#last;
    this.#applied = key;
    this.#last = this.#last.then(async () => {
      await this.#close();
      const opened = key === 'closed' || this.#stopped ? ok(null) : await this.#open(wanted);
      const { problems } = this.#look();
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
    this.#notice?.cancel();
    await this.#last;
    await this.#close();
  }

  #whyClosed(enabled: boolean): string {
    if (!this.#call) return 'Kennel is not running.';
    if (!enabled) return 'It is switched off in daemon.yml.';
    const problem = this.#look()
      .problems.list()
      .find(({ id }) => id === 'bridge');
    return problem?.message ?? 'Nothing is set up here yet; "kennel pairing open" opens it.';
  }

  #hasReason(): boolean {
    if (this.#opening.state() || this.#pairing.read()) return true;
    const demo = demoFile(this.#look()).read();
    if (!demo.ok || demo.value) return false;
    const operator = this.#look().operator.record();
    if (operator.ok && operator.value) return true;
    return this.#look()
      .agents.list()
      .some(({ lastGood }) => lastGood !== null && isConfigured(lastGood));
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.close();
  }

  async #open(wanted: { bind_host: string; port: number }): Promise<Result<BridgeServer>> {
    const call = this.#call;
    if (!call) return err(notRunning);
    const context = this.#look();
    const crypto = await context.ports.loadCrypto();
    if (!crypto.ok) return crypto;
    const [{ bridgeApp }, { openBridgeServer }] = await Promise.all([
      import('./bridge-app.ts'),
      import('../../services/bridge/bridge-server.ts'),
    ]);
    const app = bridgeApp({
      context,
      call,
      crypto: crypto.value,
      pairing: this.#pairing,
      window: this.#opening,
      ports: () => [wanted.port, ...(this.#server ? [this.#server.port] : [])],
      events: {
        onPaired: (now, before) => this.#paired(now, before),
        onUnpaired: (before) => this.#unpaired(before),
        onTooManyFailures: () => this.#tell('Ten tries to pair failed, so pairing was closed.', 'warning'),
      },
    });
    return openBridgeServer({ host: wanted.bind_host, port: wanted.port, app, ...context.ports });
  }

  /** Shows a notice for some time, so that the operator notices an unrequested pairing. */
  #tell(message: string, severity: 'info' | 'warning'): void {
    const { problems, ports } = this.#look();
    const hint = 'If that was not you: "kennel pairing unpair".';
    problems.set('pairing', severity, { message, hint });
    this.#notice?.cancel();
    this.#notice = ports.clock.after(noticeMs, () => problems.clear('pairing'), { unref: true });
  }

  #paired(now: Pairing, before: Pairing | null): void {
    const { ports, approvals } = this.#look();
    ports.log.info('bridge_paired', { slug: now.slug, device: now.device_id });
    const instead = before ? `, in place of one of ${before.slug}` : '';
    this.#tell(`A device of ${now.slug} may manage its agents here now${instead}.`, 'info');
    const entry = { agentId: '', tool: 'bridge', digest: '', detail: `${now.slug} ${now.device_id}` };
    void approvals.note({ ...entry, kind: 'grant', outcome: 'paired' });
  }

  #unpaired(before: Pairing): void {
    const { ports, approvals, problems } = this.#look();
    ports.log.info('bridge_unpaired', { slug: before.slug, device: before.device_id });
    problems.clear('pairing');
    const entry = { agentId: '', tool: 'bridge', digest: '', detail: `${before.slug} ${before.device_id}` };
    void approvals.note({ ...entry, kind: 'revoke', outcome: 'unpaired' });
  }
}

const notRunning = appError('unavailable', 'Kennel is not running, so no device can pair.', {
  hint: 'Start it with "kennel start", then try again.',
});
const switchedOff = appError('conflict', 'The local bridge is switched off in daemon.yml.', {
  hint: 'Set "enabled: true" under "bridge" there.',
});
