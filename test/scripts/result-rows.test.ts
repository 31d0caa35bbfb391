import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentCommit, isUnchangedSince, resultLines, whyStale } from '../../bench/lib/result-rows.mjs';

const row = { name: 'a / b', ratio: 0.5, goal: 1, better: 'lower', met: true, note: '5 ms' };

describe('Stored benchmark row', () => {
  it('is stale at another or unknown commit, or if its source was not committed', () => {
    const lines = resultLines(
      [
        { ...row, commit: 'a'.repeat(40) },
        { ...row, commit: 'b'.repeat(40) },
        { ...row, commit: 'a'.repeat(40), changed: true },
        row,
        { ...row, met: false, ratio: 2, commit: 'a'.repeat(40) },
      ],
      (commit: string) => commit.startsWith('a'),
    );
    expect(lines).toEqual([
      'ok     a / b  0.500  (goal <= 1)  5 ms',
      'stale  a / b  0.500  (goal <= 1)  5 ms; stale: measured at bbbbbbbbb',
      'stale  a / b  0.500  (goal <= 1)  5 ms; stale: measured at aaaaaaaaa with changes that were not committed',
      'stale  a / b  0.500  (goal <= 1)  5 ms; stale: its commit is unknown',
      'missed a / b  2.000  (goal <= 1)  5 ms',
    ]);
  });
});

describe('Commit of a row', () => {
  let root = '';
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  const commit = (text: string, path = 'src/a.ts') => {
    writeFileSync(join(root, path), text);
    git('add', '-A');
    git('commit', '-qm', text);
    return currentCommit(root);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'kennel-rows-'));
    git('init', '-q');
    mkdirSync(join(root, 'src'));
    mkdirSync(join(root, 'docs'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('stays valid after changes to docs, but not to measured source', () => {
    const first = commit('one');
    expect(first.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(first).not.toHaveProperty('changed');
    commit('words', 'docs/a.md');
    expect(isUnchangedSince(root, first.commit)).toBe(true);
    expect(whyStale(first, (at: string) => isUnchangedSince(root, at))).toBeNull();
    commit('two');
    expect(isUnchangedSince(root, first.commit)).toBe(false);
  });

  it('records uncommitted source changes, and is null without a repository', () => {
    commit('one');
    writeFileSync(join(root, 'src/a.ts'), 'other');
    expect(currentCommit(root)).toMatchObject({ changed: true });
    rmSync(join(root, '.git'), { recursive: true });
    expect(currentCommit(root)).toEqual({ commit: null });
  });
});
