import type { FeedSink } from '../contract/host-api.ts';
import { ok, type Result } from '../contract/result.ts';
import type { UndoView } from '../contract/undo-methods.ts';
import type { Scope } from '../core/lib/scope.ts';
import type { DiskPort } from '../core/ports.ts';
import type { StoredMessage } from '../core/puffo/stored-message.ts';
import type { AgentNotes } from '../core/supervisor/worker-ports.ts';
import type { RestorePoints } from '../core/undo/restore-points.ts';
import { createFeedTopic } from './feed/feed.ts';
import { republish } from './feed/publish-differences.ts';
import type { AgentKitDeps } from './fleet/agent-kit.ts';
import type { HostPorts } from './host-ports.ts';
import type { OpenParts } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import type { WatchStore } from './stores/store-watch.ts';
import { createAgentNotes } from './undo/agent-notes.ts';
import { type ChatUndoDeps, heedUndo } from './undo/chat-undo.ts';
import { createRestorePointsFile, type RestorePointsFile } from './undo/restore-points-file.ts';
import { createSnapshotsFeature, type SnapshotsFeature } from './undo/snapshots-feature.ts';
import { createUndo, type Undo, type UndoDeps } from './undo/undo.ts';

export interface UndoWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log'>;
  readonly layout: Pick<Layout, 'restoreStore'>;
  readonly disk: DiskPort;
  readonly watchStore: WatchStore;
  openParts(): Promise<Result<OpenParts>>;
  readonly note: UndoDeps['note'];
  readonly post: ChatUndoDeps['post'];
  readonly workspace: ChatUndoDeps['workspace'];
  isAgent(agentId: string): boolean;
}

export interface UndoParts {
  readonly undo: Undo;
  readonly snapshots: SnapshotsFeature;
  followUndo(sink: FeedSink): () => void;
  readonly notesOf: (agentId: string) => AgentNotes;
  /** Carries out "undo that" of the operator; returns false if it is not possible now. */
  heedUndo(agentId: string, message: StoredMessage): Promise<boolean>;
  readonly restorePoints: RestorePointsFile;
  readonly points: () => Promise<Result<RestorePoints>>;
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
      workspace: wiring.workspace,
      isAgent: wiring.isAgent,
      path: layout.restoreStore,
      async key(path) {
        const parts = await openParts();
        return parts.ok ? parts.value.keys.storeKey(path) : parts;
      },
    },
  });
  scope.add('restore points', () => restorePoints.stop());
  const topic = createFeedTopic<UndoView>({ clock: ports.clock, initial: { revision: 0 } });
  scope.add('undo topic', () => topic.end());
  const onChanged = (): void => republish(topic, { revision: topic.state().revision + 1 });
  const undo = createUndo({ file: restorePoints, note: wiring.note, onChanged });
  const snapshots = createSnapshotsFeature({
    file: restorePoints,
    note: wiring.note,
    workspace: wiring.workspace,
    onChanged,
  });
  const points: UndoParts['points'] = async () => {
    const opened = await restorePoints.open();
    return opened.ok ? ok(opened.value.points) : opened;
  };
  return {
    restorePoints,
    points,
    undo,
    snapshots,
    followUndo: topic.subscribe,
    notesOf: createAgentNotes(restorePoints),
    heedUndo: (agentId, message) =>
      heedUndo({ undo, post: wiring.post, workspace: wiring.workspace }, agentId, message),
    covered: async () => {
      // Settles what a crash interrupted before people change more of it.
      if (restorePoints.exists()) await restorePoints.open();
      const { createToolCover } = await import('./undo/cover-agent-tools.ts');
      return createToolCover(points, ports.log);
    },
  };
}
