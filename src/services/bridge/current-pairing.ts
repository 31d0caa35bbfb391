/** The pairing in force, and who may replace it (T3). */
import { ok, type Result } from '../../contract/result.ts';
import type { BridgeHome } from './bridge-types.ts';
import type { Pairing, PairingFile } from './pairing-file.ts';

export interface CurrentPairingDeps {
  readonly home: Pick<BridgeHome, 'operatorRoot'>;
  readonly file: PairingFile;
  onPaired(now: Pairing, before: Pairing | null): void;
  onUnpaired(before: Pairing): void;
}

export interface CurrentPairing {
  /** A pairing of another person, from before this computer had its operator, no longer counts. */
  read(): Pairing | null;
  /** If this computer has an operator, only the operator manages agents here. */
  mayManage(rootPublicKey: string): boolean;
  /** `isAgain`: the same device paired again, which is not reported. */
  replace(pairing: Pairing, isAgain: boolean): Result<void>;
  remove(before: Pairing): Result<void>;
}

export function createCurrentPairing(deps: CurrentPairingDeps): CurrentPairing {
  const { home, file } = deps;
  const mayManage = (rootPublicKey: string): boolean => {
    const operator = home.operatorRoot();
    return operator === null || operator === rootPublicKey;
  };
  return {
    mayManage,
    read() {
      const paired = file.read();
      return paired !== null && mayManage(paired.root_public_key) ? paired : null;
    },
    replace(pairing, isAgain) {
      const before = file.read();
      const written = file.write(pairing);
      if (!written.ok) return written;
      if (!isAgain) deps.onPaired(pairing, before);
      return ok(undefined);
    },
    remove(before) {
      const removed = file.remove();
      if (removed.ok) deps.onUnpaired(before);
      return removed;
    },
  };
}
