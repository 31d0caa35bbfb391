/** Decides what a revert changes; pure. */
import type { PathChange, Snapshot } from './path-state.ts';
import { sameState, stateAt } from './path-state.ts';
import type { RestorePoint } from './snapshot-port.ts';

/**
 * `ready`: still as the agent left it. `changed`: changed since, or between its calls, so a person decides.
 * `restored`: already as before. `uncovered`: its content was not kept.
 */
export type RevertState = 'ready' | 'changed' | 'restored' | 'uncovered';

export interface RevertItem {
  readonly state: RevertState;
  /** From the state on disk now to the state before the agent's change. */
  readonly change: PathChange;
  /** The agent's change as a whole. */
  readonly made: PathChange;
}

export interface NetChange extends PathChange {
  /** True if another program or person may have changed the path, too: between two calls, or after an interrupted one. */
  readonly shared: boolean;
}

/** The changes of several points, oldest first, as one change per path. */
export function netChanges(
  points: readonly Pick<RestorePoint, 'changes' | 'interrupted'>[],
): readonly NetChange[] {
  const net = new Map<string, NetChange>();
  for (const { changes, interrupted = false } of points)
    for (const change of changes) {
      const earlier = net.get(change.path);
      const { before } = earlier ?? change;
      const gap = earlier !== undefined && (earlier.shared || !sameState(earlier.after, change.before));
      net.set(change.path, { ...change, before, shared: interrupted || gap });
    }
  return [...net.values()].filter(({ before, after }) => !sameState(before, after));
}

function stateOfRevert({ before, after, shared }: NetChange, now: PathChange['after']): RevertState {
  if (before.kind === 'uncovered' || after.kind === 'uncovered') return 'uncovered';
  if (sameState(now, before)) return 'restored';
  return sameState(now, after) && !shared ? 'ready' : 'changed';
}

export function planRevert(net: readonly NetChange[], now: Snapshot): readonly RevertItem[] {
  return net.map(({ shared, ...made }) => {
    const { path, before } = made;
    const current = stateAt(now, path);
    const state = stateOfRevert({ ...made, shared }, current);
    // The present content could not be brought back.
    const lost = state === 'changed' && current.kind === 'uncovered';
    return { state: lost ? 'uncovered' : state, made, change: { path, before: current, after: before } };
  });
}

const depth = (path: string): number => path.split(/[\\/]/).length;
const deepestFirst = (a: PathChange, b: PathChange): number => depth(b.path) - depth(a.path);

const ownerAccess = 0o700;

/** A folder that its owner may not write gets its mode after its files. */
function inTwoSteps(change: PathChange): {
  readonly first: PathChange;
  readonly last: readonly PathChange[];
} {
  const { path, after } = change;
  if (after.kind !== 'folder' || (after.mode & ownerAccess) === ownerAccess)
    return { first: change, last: [] };
  const open = { kind: 'folder', mode: after.mode | ownerAccess } as const;
  return { first: { ...change, after: open }, last: [{ path, before: open, after }] };
}

/**
 * Removals from the deepest path upwards, then everything else downwards, so that a folder is empty before it
 * is removed and exists before its files.
 */
export function inOrder(changes: readonly PathChange[]): readonly PathChange[] {
  const removes = ({ before, after }: PathChange): boolean =>
    after.kind === 'absent' || (before.kind === 'folder' && after.kind !== 'folder');
  const removed = changes.filter(removes).sort(deepestFirst);
  const rest = changes
    .filter((change) => !removes(change))
    .sort((a, b) => deepestFirst(b, a))
    .map(inTwoSteps);
  return [...removed, ...rest.map(({ first }) => first), ...rest.flatMap(({ last }) => last).reverse()];
}
