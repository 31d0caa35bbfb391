/** Ports of snapshots: the files, and the store of contents and restore points. */
import type { Result } from '../../contract/result.ts';
import type { snapshotReasonNames } from '../../contract/snapshot-methods.ts';
import type { HostText } from '../../language/host-message.ts';
import type { Gap, PathChange, Snapshot } from './path-state.ts';

/** Contents by sha256 (hex), each stored once. Every write is durable when it returns; throws `StoreError`. */
export interface ContentStore {
  /** Changes if stored contents were removed, so that a cache of hashes is no longer valid. */
  readonly generation: number;
  /** Bytes stored since contents were last removed. */
  readonly added: number;
  put(contents: readonly { readonly hash: string; readonly bytes: Uint8Array }[]): void;
  /** `null` if it is not stored any more. */
  read(hash: string): Uint8Array | null;
}

/** `kept`: the path is not as expected any more, or a folder still has entries; nothing was changed. */
export type PutOutcome = 'done' | 'kept';

/**
 * Reads and restores trees of files. Paths are absolute and real; no link in a path is followed, so a swap of
 * a folder reaches nothing outside (T14). Devices, pipes and files with several hard links are never read.
 */
export interface SnapshotPort {
  /**
   * The state of each path, and with `tree` of everything below. Contents of files are in `contents` when it
   * resolves. `cancelled` if the signal aborts.
   */
  take(
    paths: readonly string[],
    how: 'tree' | 'self',
    contents: ContentStore,
    signal?: AbortSignal,
  ): Promise<Result<Snapshot>>;
  /** Has the next `take` read every file. */
  forget(): void;
  /** Brings the path into the state `change.after` if it still is in `change.before`. */
  put(change: PathChange, contents: ContentStore): Promise<Result<PutOutcome>>;
}

export interface PointOrigin {
  readonly agentId: string;
  readonly turnId: string;
  readonly threadKey: string;
  readonly callId: string;
  /** `undo` for a restore point of a revert. */
  readonly tool: string;
  /** For people: "write hello.md". */
  readonly title: HostText;
}

export interface OpenPoint extends PointOrigin {
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly paths: readonly string[];
  readonly gaps: readonly Gap[];
  /** The points that this one reverts as a whole. */
  readonly undoes: readonly string[];
  /** Steps of a revert, in order; empty for a call. */
  readonly plan: readonly PathChange[];
}

export interface RestorePoint extends OpenPoint {
  /** `null` while the call runs. */
  readonly endedAt: number | null;
  /** The point that reverted this one and is itself in force. */
  readonly undoneBy: string | null;
  /** True if the call never ended, so that its changes may be those of others. */
  readonly interrupted?: boolean;
  /** Ordered by path; the first ones if the query limits them. */
  readonly changes: readonly PathChange[];
  readonly changeCount: number;
}

export interface PointEnd {
  /** ms since the epoch. */
  readonly at: number;
  readonly changes: readonly PathChange[];
  readonly gaps: readonly Gap[];
  readonly interrupted?: boolean;
  /** Paths that a revert left alone; a point that changed one of them stays in force. */
  readonly kept?: readonly string[];
}

export interface PointQuery {
  readonly ids?: readonly string[];
  /** Beginning of the id. */
  readonly prefix?: string;
  readonly agentId?: string;
  readonly turnId?: string;
  /** Only points that began before this one. */
  readonly before?: string;
  readonly limit: number;
  /** Most changes of each point; all if absent. */
  readonly mostChanges?: number;
}

/**
 * Why a snapshot was taken. `asked`: by a person. `turn`: before the first change of a turn. `restore`: before a
 * restore.
 */
export type SnapshotReason = (typeof snapshotReasonNames)[number];

/** The state of an agent's workspace at one time. */
export interface WorkspaceSnapshot {
  readonly id: string;
  readonly agentId: string;
  /** Unique among the agent's; `null` if it has none. */
  readonly label: string | null;
  readonly reason: SnapshotReason;
  /** For people, such as the call before which it was taken; `null` if nothing more is to say. */
  readonly about: HostText | null;
  /** Of the turn before whose changes it was taken; empty otherwise. */
  readonly turnId: string;
  readonly threadKey: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Absolute real path of the workspace. */
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  /** Paths that it does not cover. */
  readonly gaps: number;
}

export interface SnapshotQuery {
  readonly agentId: string;
  /** Id, beginning of an id, or label. */
  readonly named?: string;
  readonly turnId?: string;
  /** Only those taken before this one. */
  readonly before?: string;
  readonly limit: number;
}

/** Snapshots of workspaces, in the store of restore points. Throws `StoreError`. */
export interface WorkspaceSnapshotStore {
  /**
   * Stores it with all its states, whole or not at all; false if a content of it is not stored. Removes the
   * oldest automatic snapshots of the agent beyond `mostAutomatic`.
   */
  keep(snapshot: WorkspaceSnapshot, files: Snapshot, mostAutomatic: number): boolean;
  /** Newest first. */
  kept(query: SnapshotQuery): readonly WorkspaceSnapshot[];
  /** `null` if it is not stored, or only in part. */
  filesOf(id: string): Snapshot | null;
  removeSnapshot(id: string): void;
  /** Bytes of the contents of snapshots that people asked for. */
  askedBytes(): number;
  /** Removes the snapshots of agents that are gone; how many. */
  removeOfOthers(isAgent: (agentId: string) => boolean): number;
}

/** A note for an agent about its files, given to it with its next turn in the thread. */
export interface HostNote {
  readonly id: number;
  readonly text: string;
}

/** Registry of restore points; every write is one durable transaction. Throws `StoreError`. */
export interface RestoreStore extends ContentStore, WorkspaceSnapshotStore {
  /** Stores the point with its state before, whole or not at all; false if a content of it is not stored. */
  begin(point: OpenPoint, before: Snapshot): boolean;
  /**
   * Ends a point; one without changes is removed. The points that it reverts are marked, and what these had
   * reverted is in force again.
   */
  end(id: string, end: PointEnd): void;
  /** Points whose call never ended, with the state before; one that cannot be read is removed. */
  open(): readonly { readonly point: RestorePoint; readonly before: Snapshot }[];
  /** Newest first. */
  list(query: PointQuery): readonly RestorePoint[];
  /**
   * Removes points and automatic snapshots older than `olderThan` (ms since the epoch), then the oldest of them
   * until `maxBytes` is kept. A snapshot that a person asked for stays; a quarter of `maxBytes` is kept beside those.
   */
  collect(limits: { readonly olderThan: number; readonly maxBytes: number }): void;
  addNote(agentId: string, threadKey: string, text: string): void;
  notes(agentId: string, threadKey: string): readonly HostNote[];
  removeNotes(ids: readonly number[]): void;
  release(): void;
}
