import { despiteStore } from '../../core/lib/store-error.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import { attachmentsType, waitingFiles } from '../../core/puffo/message-files.ts';
import { createOutgoingFiles, type OutgoingStore } from '../../services/files/outgoing-files.ts';
import type { HostPorts } from '../host-ports.ts';

export interface OutgoingParts {
  readonly folder: string;
  readonly store: AccountStore;
  readonly crypto: CryptoEngine;
  readonly ports: Pick<HostPorts, 'random' | 'log' | 'clock'>;
}

/** ms that files of a failed message are kept for a retry. */
const keptMs = 30 * 24 * 3_600_000;

/** The sealed files of one account; removes those that no message needs. */
export function openOutgoing({ folder, store, crypto, ports }: OutgoingParts): OutgoingStore {
  const files = createOutgoingFiles({ folder, crypto, random: ports.random });
  const wanted = (): ReadonlySet<string> | null =>
    despiteStore(() => {
      const now = ports.clock.now();
      const rows = store.outboxFiles
        .unsent(attachmentsType)
        .filter(({ state, createdAt }) => state !== 'failed' || now - createdAt < keptMs);
      return new Set(rows.flatMap((row) => waitingFiles(row).map(({ localFile }) => localFile)));
    }, null);
  files.sweep(wanted).catch((error: unknown) => {
    ports.log.warn('outgoing_not_swept', { error: String(error) });
  });
  return files;
}
