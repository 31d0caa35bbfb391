/** State of a path as a snapshot records it, and the comparison of two snapshots. */
import { z } from 'zod';
import { type GapReason, gapReasons } from '../../contract/undo-methods.ts';

export { type GapReason, gapReasons };

const mode = z.number().int().min(0).max(0o7777);

export const pathStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  /** `hash`: sha256 of the content in hex. `size`: bytes. */
  z.object({ kind: z.literal('file'), hash: z.string(), size: z.number().int(), mode }),
  z.object({ kind: z.literal('folder'), mode }),
  z.object({ kind: z.literal('link'), target: z.string() }),
  /** `mark` differs if the content may differ. */
  z.object({ kind: z.literal('uncovered'), why: z.enum(gapReasons), mark: z.string() }),
]);
export type PathState = z.infer<typeof pathStateSchema>;

/** States by absolute real path. */
export type Snapshot = ReadonlyMap<string, PathState>;

export interface PathChange {
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
}

/** A path that a restore point does not cover. */
export interface Gap {
  readonly path: string;
  readonly why: GapReason;
}

export const absent: PathState = { kind: 'absent' };

export const stateAt = (snapshot: Snapshot, path: string): PathState => snapshot.get(path) ?? absent;

export function sameState(a: PathState, b: PathState): boolean {
  switch (a.kind) {
    case 'absent':
      return b.kind === 'absent';
    case 'file':
      return b.kind === 'file' && a.hash === b.hash && a.mode === b.mode;
    case 'folder':
      return b.kind === 'folder' && a.mode === b.mode;
    case 'link':
      return b.kind === 'link' && a.target === b.target;
    case 'uncovered':
      return b.kind === 'uncovered' && a.why === b.why && a.mark === b.mark;
  }
}

/** States that say nothing about what is at the path or below it. */
const opaque: ReadonlySet<GapReason> = new Set(['limit', 'ignored', 'unreadable']);

const isOpaque = (state: PathState): boolean => state.kind === 'uncovered' && opaque.has(state.why);

/** True if a folder above the path is not looked into. */
function isHidden(path: string, hiding: ReadonlySet<string>): boolean {
  for (let at = path.search(/[\\/][^\\/]*$/); at > 0; at = path.slice(0, at).search(/[\\/][^\\/]*$/))
    if (hiding.has(path.slice(0, at))) return true;
  return false;
}

/** Changes by path in order of their names; a folder that one snapshot does not look into shows none. */
export function compareSnapshots(before: Snapshot, after: Snapshot): readonly PathChange[] {
  const hiding = new Set<string>();
  for (const snapshot of [before, after])
    for (const [path, state] of snapshot) if (isOpaque(state)) hiding.add(path);
  const changes: PathChange[] = [];
  const note = (path: string): void => {
    const [old, now] = [stateAt(before, path), stateAt(after, path)];
    if (sameState(old, now) || isOpaque(old) || isOpaque(now)) return;
    if (hiding.size > 0 && isHidden(path, hiding)) return;
    changes.push({ path, before: old, after: now });
  };
  for (const path of before.keys()) note(path);
  for (const path of after.keys()) if (!before.has(path)) note(path);
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Uncovered paths, each once. */
export function gapsOf(...snapshots: readonly Snapshot[]): readonly Gap[] {
  const found = new Map<string, Gap>();
  for (const snapshot of snapshots)
    for (const [path, state] of snapshot)
      if (state.kind === 'uncovered') found.set(path, { path, why: state.why });
  return [...found.values()];
}
