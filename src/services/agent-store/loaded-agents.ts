/**
 * The agents as last read from disk. It promises that only a valid config replaces the config in force (F20),
 * that a file that is still being written gets time to be finished, and that an API key found in a file moves
 * into the wrapped store and is blanked.
 */
import { join } from 'node:path';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import { type AgentConfig, isAgentId } from '../../core/agents/agent-config.ts';
import type { Clock, DiskPort, Log } from '../../core/ports.ts';
import {
  configFile,
  type FileState,
  fileState,
  isSameState,
  maxConfigBytes,
  profilePath,
  requestsOf,
  signatureText,
} from './agent-folder.ts';
import type { AgentRequest, LoadedAgent } from './agent-types.ts';
import { type CachedConfig, type ConfigCache, loadConfigCache, saveConfigCache } from './config-cache.ts';
import { looksUnfinished, type ReadConfig, readConfigText } from './read-config.ts';
import { SharedSections } from './shared-sections.ts';

export interface LoadedAgentsDeps {
  readonly home: string;
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly log: Log;
  /** Stores a key found in agent.yml in the wrapped store; on success the file is blanked. */
  readonly takeApiKey: (agentId: string, key: string) => Result<void>;
}

interface Entry {
  readonly agent: LoadedAgent;
  /** Of agent.yml when it was read; `null` if it did not exist. */
  readonly file: FileState | null;
  readonly profile: FileState | null;
  /** The keys of the text in force. */
  readonly keys: string;
  /** A text that may be unfinished; it has been in this state `since` (monotonic ms). */
  readonly held: { readonly file: FileState | null; readonly since: number } | null;
  /** The next check reads the file, also an unchanged one. */
  readonly isStale?: boolean;
}

/** ms that a suspicious file must stay unchanged before it counts as complete. */
const settleMs = 1_000;
/** Below this many parses the cache is not worth writing. */
const cacheWorthwhile = 20;

const sameRequests = (a: readonly AgentRequest[], b: readonly AgentRequest[]): boolean =>
  a.length === b.length && a.every((request, index) => request === b[index]);

const missing = (path: string): AppError =>
  fail('not_found', 'agents.agentFileMissing', {}, { help: 'agents.restoreAgentFile', where: path });

const withoutKey = (config: AgentConfig): AgentConfig =>
  config.runtime.api_key === '' ? config : { ...config, runtime: { ...config.runtime, api_key: '' } };

export class LoadedAgents {
  readonly #deps: LoadedAgentsDeps;
  /** The folder of all agents. */
  readonly root: string;
  readonly #cachePath: string;
  readonly #entries = new Map<string, Entry>();
  readonly #keySets = new Map<string, string>();
  readonly #sections = new SharedSections();
  #loaded = false;

  constructor(deps: LoadedAgentsDeps) {
    this.#deps = deps;
    this.root = join(deps.home, 'agents');
    this.#cachePath = join(deps.home, 'cache', 'agents.json');
  }

  folderOf(id: string): string {
    return join(this.root, id);
  }

  list(): readonly LoadedAgent[] {
    this.#load();
    return [...this.#entries.values()].map(({ agent }) => agent).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): LoadedAgent | null {
    this.#load();
    return this.#entries.get(id)?.agent ?? null;
  }

  ids(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Ids of agents with an unfinished file, which must be checked again soon. */
  waiting(): readonly string[] {
    return [...this.#entries].filter(([, entry]) => entry.held).map(([id]) => id);
  }

  /** Checks one agent again and returns true if it changed. With `finished`, the file counts as complete. */
  check(id: string, finished = false): boolean {
    const before = this.#entries.get(id);
    const folder = this.folderOf(id);
    const file = fileState(join(folder, configFile));
    if (!before || before.isStale || !isSameState(file, before.file))
      return this.#reread(id, before, file, finished);
    const requests = requestsOf(folder);
    const profile = fileState(profilePath(folder, before.agent.lastGood));
    const changed = !sameRequests(requests, before.agent.requests) || !isSameState(profile, before.profile);
    if (changed || before.held) {
      const agent = { ...before.agent, requests };
      this.#entries.set(id, { ...before, held: null, profile, agent });
    }
    return changed;
  }

  /** Returns the ids added or removed below `agents/`. */
  checkFolders(): readonly string[] {
    const now = this.#folders();
    if (!now) return [];
    const present = new Set(now);
    const gone = [...this.#entries.keys()].filter((id) => !present.has(id));
    for (const id of gone) this.#entries.delete(id);
    const came = now.filter((id) => !this.#entries.has(id));
    for (const id of came) this.check(id);
    return [...gone, ...came];
  }

  /** Forces the next check to read the agents whose key could not be stored; returns their ids. */
  forgetRefusedKeys(): readonly string[] {
    const refused = [...this.#entries].filter(
      ([, { agent }]) => agent.error?.code === 'locked' || agent.error?.code === 'insecure_storage',
    );
    for (const [id, entry] of refused) this.#entries.set(id, { ...entry, isStale: true });
    return refused.map(([id]) => id);
  }

  #load(): void {
    if (this.#loaded) return;
    this.#loaded = true;
    const cache = loadConfigCache(this.#deps.disk, this.#cachePath);
    let parsed = 0;
    for (const id of this.#folders() ?? []) {
      if (!this.#loadCached(id, cache)) {
        parsed += 1;
        this.check(id);
      }
    }
    if (parsed > cacheWorthwhile) saveConfigCache(this.#deps.disk, this.#cachePath, this.#cacheable());
  }

  #loadCached(id: string, cache: ConfigCache): boolean {
    const folder = this.folderOf(id);
    const file = fileState(join(folder, configFile));
    const cached = cache.find(id, signatureText(file));
    if (!cached) return false;
    const config = this.#sections.share(cached.config);
    const agent = { id, folder, config, lastGood: config, error: null, requests: requestsOf(folder) };
    this.#put(id, { agent, file, keys: cached.keys });
    return true;
  }

  #cacheable(): ReadonlyMap<string, CachedConfig> {
    const found = new Map<string, CachedConfig>();
    for (const [id, { agent, file, keys }] of this.#entries) {
      if (agent.config && !agent.error)
        found.set(id, { signature: signatureText(file), keys, config: agent.config });
    }
    return found;
  }

  #folders(): readonly string[] | null {
    const found = this.#deps.disk.folders(this.root);
    if (!found.ok) this.#deps.log.error('agents_unreadable', { message: found.error.message });
    return found.ok ? found.value.filter(isAgentId) : null;
  }

  /** Reads a changed agent.yml. Returns true if the entry changed. */
  #reread(id: string, before: Entry | undefined, file: FileState | null, finished: boolean): boolean {
    const path = join(this.folderOf(id), configFile);
    const text = this.#deps.disk.readText(path, maxConfigBytes);
    const read = this.#parse(text, path);
    const content = text.ok ? (text.value ?? '') : '';
    if (before?.agent.lastGood && !finished && looksUnfinished(content, read, before.keys)) {
      const now = this.#deps.clock.monotonic();
      const held = before.held && isSameState(before.held.file, file) ? before.held : { file, since: now };
      if (now - held.since < settleMs) {
        this.#entries.set(id, { ...before, held });
        return false;
      }
    }
    this.#accept(id, before, read, file);
    return true;
  }

  #parse(text: Result<string | null>, path: string): Result<ReadConfig> {
    if (!text.ok) return text;
    return text.value === null ? err(missing(path)) : readConfigText(text.value, path);
  }

  #accept(id: string, before: Entry | undefined, read: Result<ReadConfig>, file: FileState | null): void {
    const folder = this.folderOf(id);
    const base = { id, folder, requests: requestsOf(folder) };
    if (!read.ok) {
      const { message, where } = read.error;
      this.#deps.log.warn('agent_config_bad', { agent: id, message, where });
      const agent = { ...base, config: null, lastGood: before?.agent.lastGood ?? null, error: read.error };
      this.#put(id, { agent, file, keys: before?.keys ?? '' });
      return;
    }
    const path = join(folder, configFile);
    const error = this.#takeKey(id, read.value, path);
    const blanked = withoutKey(read.value.config);
    const config = this.#sections.share(blanked);
    this.#put(id, {
      agent: { ...base, config, lastGood: config, error },
      file: blanked === read.value.config ? file : fileState(path),
      keys: read.value.keys,
    });
  }

  /** Blanks the key in the file only after the wrapped store has it. */
  #takeKey(id: string, read: ReadConfig, path: string): AppError | null {
    const key = read.config.runtime.api_key;
    if (key === '') return null;
    const taken = this.#deps.takeApiKey(id, key);
    if (!taken.ok) return { ...taken.error, where: path };
    read.document.set(['runtime', 'api_key'], '');
    const written = this.#deps.disk.write(path, read.document.text());
    this.#deps.log.info('api_key_moved', { agent: id, blanked: written.ok });
    return written.ok ? null : written.error;
  }

  #put(id: string, entry: Omit<Entry, 'profile' | 'held'>): void {
    const profile = fileState(profilePath(entry.agent.folder, entry.agent.lastGood));
    // Most agents have the same keys, so they share one string.
    const keys = this.#keySets.get(entry.keys) ?? entry.keys;
    this.#keySets.set(keys, keys);
    this.#entries.set(id, { ...entry, keys, profile, held: null });
  }
}
