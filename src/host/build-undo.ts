import type { Result } from '../contract/result.ts';
import type { Scope } from '../core/lib/scope.ts';
import type { DiskPort } from '../core/ports.ts';
import type { AgentKitDeps } from './fleet/agent-kit.ts';
import type { HostPorts } from './host-ports.ts';
import type { Layout } from './layout.ts';
import type { OpenParts } from './operator.ts';
import type { WatchStore } from './store-watch.ts';
import { createRestorePointsFile, type RestorePointsFile } from './undo/restore-points-file.ts';

export interface UndoWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log'>;
  readonly layout: Pick<Layout, 'restoreStore'>;
  readonly disk: DiskPort;
  readonly watchStore: WatchStore;
  openParts(): Promise<Result<OpenParts>>;
}

export interface UndoParts {
  readonly restorePoints: RestorePointsFile;
  /** Loads with the tools of the first agent. */
  readonly covered: () => Promise<AgentKitDeps['covered']>;
}

/** Part of the composition root: restore points of what agents change in files. */
export function buildUndo(wiring: UndoWiring, scope: Scope): UndoParts {
  const { ports, layout, disk, watchStore, openParts } = wiring;
  const restorePoints = createRestorePointsFile({
    ...ports,
    disk,
    watchStore,
    place: {
      path: layout.restoreStore,
      async key(path) {
        const parts = await openParts();
        return parts.ok ? parts.value.keys.storeKey(path) : parts;
      },
    },
  });
  scope.add('restore points', () => restorePoints.stop());
  return {
    restorePoints,
    covered: async () => {
      const { createToolCover } = await import('./undo/cover-agent-tools.ts');
      return createToolCover(restorePoints, ports.log);
    },
  };
}
