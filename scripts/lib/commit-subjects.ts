/** Checks the subjects of commits: `type(scope): imperative summary`, at most 72 characters. */
import { spawnSync } from 'node:child_process';
import type { Finding } from './finding.ts';

const longest = 72;
const form = /^(?:bench|build|chore|ci|docs|feat|fix|perf|refactor|style|test)(?:\([a-z0-9,. -]+\))?: \S/;

export function subjectFault(subject: string): Finding | null {
  const says = !form.test(subject)
    ? `“${subject}” is not of the form type(scope): summary`
    : subject.length > longest
      ? `“${subject}” has ${subject.length} characters, ${subject.length - longest} too many`
      : null;
  return says === null ? null : { file: 'commit', line: 1, rule: 'commit-subject', says };
}

/** Subjects of the commits that `main` lacks; none on `main` itself, and where git has no such branch. */
export function ownSubjects(folder: string): readonly string[] {
  const git = spawnSync('git', ['log', '--format=%s', 'main..HEAD'], { cwd: folder, encoding: 'utf8' });
  return git.status === 0 ? git.stdout.split('\n').filter((subject) => subject !== '') : [];
}
