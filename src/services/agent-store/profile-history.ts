/**
 * The versions of an agent's profile.md, in `.history/profile/` of its folder. It promises that no change
 * made here loses text: the previous text is a version by then, even if a person wrote it with an editor.
 */
import { join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import { changedAt, profilePath } from './agent-folder.ts';
import type { LoadedAgent } from './agent-types.ts';
import { createMemoryHistory, type MemoryHistory } from './memory-history.ts';

const entry = 'profile';

export interface ProfileVersion {
  readonly version: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly text: string;
}

export interface ProfileHistory {
  /**
   * Stores `text` as the newest version unless it already is. `at` is its time; when absent, the file's
   * modification time.
   */
  keep(text: string, at?: number): Result<void>;
  /** Oldest first, at most 50. */
  all(): Result<readonly ProfileVersion[]>;
  text(version: number): Result<string>;
}

const textOf = (history: MemoryHistory, version: number): Result<string> => {
  const found = history.text(entry, version);
  if (found.ok && found.value !== null) return ok(found.value);
  if (!found.ok && found.error.code !== 'not_found') return found;
  return err(fail('not_found', 'agents.profileVersionGone', { version }));
};

export function createProfileHistory(agent: LoadedAgent, disk: DiskPort): ProfileHistory {
  const history = createMemoryHistory(join(agent.folder, '.history'), disk);
  return {
    keep(text, at = changedAt(profilePath(agent.folder, agent.lastGood))) {
      const last = history.last(entry);
      if (!last.ok) return last;
      return last.value?.text === text ? ok(undefined) : history.add(entry, { at, by: 'operator', text });
    },
    all() {
      const listed = history.all(entry);
      if (!listed.ok) return listed;
      const versions: ProfileVersion[] = [];
      for (const { version, at } of listed.value) {
        const text = textOf(history, version);
        if (text.ok) versions.push({ version, at, text: text.value });
      }
      return ok(versions);
    },
    text: (version) => textOf(history, version),
  };
}
