/** The snapshots of this computer's files; see scan.ts and put-state.ts for what they promise. */
import type { SnapshotPort } from '../../../core/undo/snapshot-port.ts';
import { handlesWork } from '../confined/folder-handle.ts';
import { createHashCache } from './hash-cache.ts';
import { putState } from './put-state.ts';
import { type ScanLimits, scanLimits, scanTrees } from './scan.ts';

export interface SnapshotOptions {
  /** Lets tests select the behaviour of systems without folder handles. */
  readonly byHandles?: boolean;
  readonly limits?: ScanLimits;
}

export function createSnapshots({
  byHandles = true,
  limits = scanLimits,
}: SnapshotOptions = {}): SnapshotPort {
  const handles = handlesWork && byHandles;
  const cache = createHashCache();
  return {
    take: (paths, how, contents, signal) =>
      scanTrees(paths, how, { contents, cache, byHandles: handles, limits, signal }),
    forget: () => cache.forget(),
    put: (change, contents) => putState(change, contents, handles),
  };
}
