/**
 * The time window in which a device may pair, opened only by the operator (T3): five minutes, one device, ten
 * failures. The device sends the code that the operator sees. For a client that cannot, the operator names
 * its device id, which is a hash of its key; then only that device may pair.
 */
import type { Clock, Random } from '../../core/ports.ts';
import { isSameSecret } from '../../platform/same-secret.ts';

export const windowMs = 5 * 60_000;
export const maxFailures = 10;

export interface OpenWindow {
  /** Empty if the operator named a device. */
  readonly code: string;
  /** The only device that may pair, or `null` for any device that sends the code. */
  readonly device: string | null;
  /** ms since the epoch. */
  readonly until: number;
  readonly failures: number;
}

export interface PairingWindow {
  open(device: string | null): OpenWindow;
  /** `null` while the window is closed. */
  state(): OpenWindow | null;
  admits(device: string, code: string | null): boolean;
  /** Counts a failure; returns true if it was one too many and closed the window. */
  failed(): boolean;
  close(): void;
}

/** Six digits. */
function newCode(random: Random): string {
  const bytes = random.bytes(6);
  const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return String(number % 1_000_000).padStart(6, '0');
}

export function createPairingWindow(clock: Clock, random: Random): PairingWindow {
  let current: (OpenWindow & { readonly end: number }) | null = null;
  const state = (): OpenWindow | null => {
    if (current && clock.monotonic() >= current.end) current = null;
    return current;
  };
  return {
    state,
    open(device) {
      const until = clock.now() + windowMs;
      current = {
        code: device === null ? newCode(random) : '',
        device,
        until,
        failures: 0,
        end: clock.monotonic() + windowMs,
      };
      return current;
    },
    admits(device, code) {
      const open = state();
      if (!open) return false;
      if (open.device !== null) return device === open.device;
      return code !== null && isSameSecret(code, open.code);
    },
    failed() {
      if (!current) return false;
      current = { ...current, failures: current.failures + 1 };
      if (current.failures < maxFailures) return false;
      current = null;
      return true;
    },
    close() {
      current = null;
    },
  };
}
