/**
 * Tracks whether a store has a disk fault and reports it. It promises to detect the end of the fault by
 * itself (F4, F5).
 */
import type { AppError } from '../../contract/errors.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Timer } from '../../core/ports.ts';

export interface StoreHealth {
  failed(error: StoreError): void;
  /** Called after a committed write. */
  wrote(): void;
  /** Stops the probe. The store reports no fault afterwards. */
  stop(): void;
}

interface HealthOptions {
  readonly clock: Clock;
  /** Throws the `StoreError` while the fault lasts. */
  probe(): void;
  onFault(fault: AppError | null): void;
}

const probeMs = 3_000;

export function createStoreHealth({ clock, probe, onFault }: HealthOptions): StoreHealth {
  let ill = false;
  let next: Timer | null = null;
  const stop = (): void => {
    next?.cancel();
    next = null;
    if (!ill) return;
    ill = false;
    onFault(null);
  };
  const look = (): void => {
    next = null;
    try {
      probe();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      next ??= clock.after(probeMs, look, { unref: true });
    }
  };
  return {
    failed(error) {
      if (error.code !== 'disk_full' && error.code !== 'io_error') return;
      ill = true;
      onFault(error.toAppError());
      next ??= clock.after(probeMs, look, { unref: true });
    },
    wrote() {
      if (ill) stop();
    },
    stop,
  };
}
