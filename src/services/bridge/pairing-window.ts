/**
 * The time in which a device may pair, opened by the operator and by nobody else (T3): five minutes, one device, ten
 * failures. Clients that can, send the code that the operator sees; with `codeRequired` nobody pairs without.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock, Random } from '../../core/ports.ts';

export const windowMs = 5 * 60_000;
export const maxFailures = 10;

export interface OpenWindow {
  readonly code: string;
  readonly codeRequired: boolean;
  /** ms since the epoch. */
  readonly until: number;
  readonly failures: number;
}

export interface PairingWindow {
  open(codeRequired: boolean): OpenWindow;
  /** Null while it is closed. */
  state(): OpenWindow | null;
  /** Whether this code, or none, will do. */
  admits(code: string | null): boolean;
  /** True: that was one too many, and it is closed now. */
  failed(): boolean;
  close(): void;
}

const digest = (code: string): Buffer => createHash('sha256').update(code).digest();

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
    open(codeRequired) {
      const until = clock.now() + windowMs;
      current = {
        code: newCode(random),
        codeRequired,
        until,
        failures: 0,
        end: clock.monotonic() + windowMs,
      };
      return current;
    },
    admits(code) {
      const open = state();
      if (!open) return false;
      return code === null ? !open.codeRequired : timingSafeEqual(digest(code), digest(open.code));
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
