/** Results of a bench for `latest.json`, and which of its rows are stale for the current source. */
import { execFileSync } from 'node:child_process';

/** Paths that affect a measurement; the results themselves do not. */
const measured = [
  'src',
  ':(exclude)src/**/*.test.ts',
  'resources',
  'scripts',
  'bench/run.mjs',
  'bench/suites',
  'bench/lib',
  'bench/children',
  'package-lock.json',
];

const git = (root, ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Commit of the measured source; `changed` if files of it are uncommitted. `null` without a repository. */
export function currentCommit(root) {
  try {
    const changed = git(root, 'status', '--porcelain', '--', ...measured) !== '';
    return { commit: git(root, 'rev-parse', 'HEAD'), ...(changed ? { changed } : {}) };
  } catch {
    return { commit: null };
  }
}

/** Whether the measured source is the same as at a commit. */
export function isUnchangedSince(root, commit) {
  try {
    git(root, 'diff', '--quiet', commit, '--', ...measured);
    return true;
  } catch {
    return false;
  }
}

/**
 * @typedef {{ readonly commit?: string | null; readonly changed?: boolean }} MeasuredAt
 */

/**
 * Reason why a row is stale for the current source; `null` if it is current.
 * @param {MeasuredAt} row
 * @param {(commit: string) => boolean} isUnchanged
 */
export function whyStale({ commit, changed }, isUnchanged) {
  if (!commit) return 'stale: its commit is unknown';
  const short = commit.slice(0, 9);
  if (changed) return `stale: measured at ${short} with changes that were not committed`;
  return isUnchanged(commit) ? null : `stale: measured at ${short}`;
}

export const isMet = ({ ratio, goal, better }) =>
  ratio !== null && (better === 'lower' ? ratio <= goal : ratio >= goal);

/** One line per row; a stale row neither meets nor misses its goal. */
export function resultLines(rows, isUnchanged) {
  const width = Math.max(0, ...rows.map((row) => row.name.length));
  return rows.map((row) => {
    const sign = row.better === 'lower' ? '<=' : '>=';
    const stale = whyStale(row, isUnchanged);
    const mark = stale ? 'stale ' : row.met ? 'ok    ' : 'missed';
    const notes = [row.note, stale].filter(Boolean).join('; ');
    return `${mark} ${row.name.padEnd(width)}  ${row.ratio?.toFixed(3) ?? 'none '}  (goal ${sign} ${row.goal})  ${notes}`.trimEnd();
  });
}
