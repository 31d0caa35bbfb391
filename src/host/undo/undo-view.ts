import { basename } from 'node:path';
import type { RestorePointView, UndoFileView } from '../../contract/undo-methods.ts';
import { stepTitle } from '../../core/agents/tool-step-titles.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import { unifiedDiff } from '../../core/lib/unified-diff.ts';
import { shortPath } from '../../core/policy/paths.ts';
import { taskOfTurn } from '../../core/tasks/task-turn.ts';
import type { Gap, PathChange, PathState } from '../../core/undo/path-state.ts';
import type { RevertItem } from '../../core/undo/plan-revert.ts';
import type { RestorePoint } from '../../core/undo/snapshot-port.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { decodeFileText } from '../../services/tools/files/file-text.ts';

/** Most files of a point in a view, and characters of one diff. */
export const maxFiles = 500;
const maxDiff = 100_000;
/** Characters of all diffs of a view; files after that are only named. */
const maxDiffs = 2_000_000;
/** Bytes of a content that is compared. */
const maxCompared = 1024 * 1024;

export type ReadContent = (hash: string) => Uint8Array | null;

/** The agent whose workspace paths are relative to. */
export interface PointOwner {
  readonly name: string;
  /** `null` if the agent is not known any more. */
  readonly cwd: string | null;
}

export function shownPathOf({ cwd }: PointOwner, path: string): string {
  return cwd === null ? path : shortPath(path, { cwd, home: '' });
}

function changeOf({ before, after }: PathChange): UndoFileView['change'] {
  if (before.kind === 'absent') return 'created';
  if (after.kind === 'absent') return 'removed';
  const sameContent =
    (before.kind === 'file' && after.kind === 'file' && before.hash === after.hash) ||
    (before.kind === 'folder' && after.kind === 'folder');
  return sameContent ? 'mode' : 'changed';
}

function kindOf({ before, after }: PathChange): UndoFileView['kind'] {
  const { kind } = after.kind === 'absent' ? before : after;
  return kind === 'file' || kind === 'folder' || kind === 'link' ? kind : 'other';
}

const viewFile = (change: PathChange, owner: PointOwner) => ({
  path: shownPathOf(owner, change.path),
  kind: kindOf(change),
  change: changeOf(change),
});

export const viewGaps = (gaps: readonly Gap[], owner: PointOwner) =>
  gaps.map(({ path, why }) => ({ path: shownPathOf(owner, path), why }));

export function viewPoint(point: RestorePoint, owner: PointOwner): RestorePointView {
  const { id, agentId, turnId, tool, title, at, endedAt, undoneBy, changes, changeCount, gaps } = point;
  return {
    id,
    agentId,
    agentName: owner.name,
    turnId,
    taskId: taskOfTurn(turnId),
    tool,
    title: tool === 'undo' ? title : stepTitle(title, 'done'),
    at,
    endedAt,
    undoneBy,
    files: changes.slice(0, maxFiles).map((change) => viewFile(change, owner)),
    fileCount: changeCount,
    gaps: viewGaps(gaps, owner),
  };
}

/** The content as text, or `null` if it is not text, too large or not stored. */
function textOf(state: PathState, read: ReadContent): string | null {
  switch (state.kind) {
    case 'absent':
    case 'folder':
      return '';
    case 'link':
      return `-> ${state.target}\n`;
    case 'uncovered':
      return null;
    case 'file': {
      const bytes = state.size > maxCompared ? null : read(state.hash);
      return bytes ? decodeFileText(bytes) : null;
    }
  }
}

function diffOf(before: PathState, after: PathState, read: ReadContent): string {
  const [old, now] = [textOf(before, read), textOf(after, read)];
  return old === null || now === null ? '' : unifiedDiff(old, now);
}

function viewItem({ state, change, made }: RevertItem, owner: PointOwner, read: ReadContent): UndoFileView {
  const whole = diffOf(made.before, made.after, read);
  const since = state === 'changed' ? diffOf(made.after, change.before, read) : '';
  const [shown, later] = [cutCodePoints(whole, maxDiff), cutCodePoints(since, maxDiff)];
  return {
    ...viewFile(made, owner),
    state,
    diff: shown,
    since: later,
    cut: shown.length < whole.length || later.length < since.length,
  };
}

/** Files with their diffs, as far as these fit into one answer. */
export function viewItems(
  items: readonly RevertItem[],
  owner: PointOwner,
  read: ReadContent,
): UndoFileView[] {
  let room = maxDiffs;
  return items.map((item) => {
    if (room <= 0)
      return { ...viewFile(item.made, owner), state: item.state, diff: '', since: '', cut: true };
    const shown = viewItem(item, owner, read);
    room -= shown.diff.length + shown.since.length;
    return shown;
  });
}

/** Title of a revert: "undo hello.md", or the number of files. */
export function revertTitle(items: readonly RevertItem[]): HostText {
  const [only, ...rest] = items;
  return only && rest.length === 0
    ? say('undo.revertFile', { name: basename(only.made.path) })
    : say('undo.revertFiles', { n: items.length });
}
