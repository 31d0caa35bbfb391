/** What `latest.json` keeps of a bench, and which of its rows no longer say anything about this source. */
import { execFileSync } from 'node:child_process';

/** What a figure depends on; the results themselves are none of it. */
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

/** The commit of what is measured now; `changed` if files of it are not committed. `null` without a repository. */
export function currentCommit(root) {
  try {
    const changed = git(root, 'status', '--porcelain', '--', ...measured) !== '';
    return { commit: git(root, 'rev-parse', 'HEAD'), ...(changed ? { changed } : {}) };
  } catch {
    return { commit: null };
  }
}

/** Whether what is measured is today as it was at a commit. */
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

/** Why a row says nothing about the source of today; `null` if it does.
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

/** One line per row; a stale row is neither met nor missed. */
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
