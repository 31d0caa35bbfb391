/**
 * daemon.yml, read again whenever it changed. It promises that an invalid edit leaves the last valid settings
 * in force and reports file, line and reason (F20), that a save keeps comments and unknown keys, and that an
 * API key found in the file moves into the wrapped store.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type AppError, withHint } from '../../contract/errors.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { readYaml, type YamlDocument } from '../../core/lib/yaml-document.ts';
import { providerIds, unknownProvider } from '../../core/models/providers.ts';
import type { DiskPort, Log } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import {
  type DaemonConfig,
  defaultDaemonConfig,
  defaultDaemonYaml,
  parseDaemonConfig,
  providerSection,
} from './daemon-schema.ts';

export interface DaemonSettingsDeps {
  readonly home: string;
  readonly disk: DiskPort;
  readonly log: Log;
  /** Stores a key found in the file in the wrapped store; on success the file is blanked. */
  readonly takeApiKey: (provider: string, key: string) => Result<void>;
}

export interface DaemonSettings {
  readonly path: string;
  /** The settings in force. */
  config(): DaemonConfig;
  /** The reason why the file is not in force or a key in it could not be moved; `null` if neither. */
  error(): AppError | null;
  defaultProvider(): string;
  provider(name: string): { readonly model: string; readonly baseUrl: string };
  /** Code points. */
  maxInlineChars(): number;
  segmentChars(): number;
  /** The file's text, or the defaults if it does not exist yet. */
  yaml(): Result<string>;
  setDefaultProvider(name: string): Result<void>;
  setProvider(name: string, change: { readonly model?: string; readonly baseUrl?: string }): Result<void>;
  /** The budget of all agents together; `null` means no limit. */
  setBudget(budget: DaemonConfig['budget']): Result<void>;
  /** Absent members stay unchanged. */
  setPolicy(change: Partial<DaemonConfig['policy']>): Result<void>;
  /** Messages per hour of one person that each agent answers (T27). */
  setSenderMessages(limit: number): Result<void>;
  /** Days after which finished work is archived; 0 for never. */
  setArchiveDays(days: number): Result<void>;
  /** Absent fields stay unchanged; a day with `null` loses its quiet hours. */
  setNotifications(change: NotificationChange): Result<void>;
  /** `null` for a default derived from this computer. */
  setWorkers(workers: number | null): Result<void>;
  setTasksOf(agentId: string, concurrency: number): Result<void>;
  /** Reads the file again, e.g. after the vault opened. */
  reload(): void;
}

export type NotificationChange = MethodParsed<'notifications.set'>;

const maxBytes = 256 * 1024;

interface Loaded {
  readonly signature: string;
  readonly config: DaemonConfig;
  readonly error: AppError | null;
}

function signatureOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.mtimeMs}:${found.size}:${found.ino}` : '';
  } catch {
    return 'cannot be looked at';
  }
}

function parse(text: string, path: string): Result<{ config: DaemonConfig; document: YamlDocument }> {
  const document = readYaml(text);
  const config = document.ok ? parseDaemonConfig(document.value, providerIds) : document;
  if (document.ok && config.ok) return ok({ config: config.value, document: document.value });
  const error = document.ok ? (config as { error: AppError }).error : document.error;
  const where = error.where ? `${path}, ${error.where}` : path;
  return err(withHint({ ...error, where }, say('agents.fixSettingsFile')));
}

export class DaemonFile implements DaemonSettings {
  readonly path: string;
  readonly #deps: DaemonSettingsDeps;
  #loaded: Loaded | null = null;

  constructor(deps: DaemonSettingsDeps) {
    this.#deps = deps;
    this.path = join(deps.home, 'daemon.yml');
  }

  config(): DaemonConfig {
    return this.#current().config;
  }

  error(): AppError | null {
    return this.#current().error;
  }

  defaultProvider(): string {
    return this.config().default_provider;
  }

  provider(name: string): { readonly model: string; readonly baseUrl: string } {
    const found = providerSection(this.config(), name);
    return found.ok
      ? { model: found.value.model, baseUrl: found.value.base_url }
      : { model: '', baseUrl: '' };
  }

  maxInlineChars(): number {
    return this.config().max_inline_message_chars;
  }

  segmentChars(): number {
    return this.config().segment_chars;
  }

  yaml(): Result<string> {
    const text = this.#deps.disk.readText(this.path, maxBytes);
    return text.ok ? ok(text.value ?? defaultDaemonYaml) : text;
  }

  setDefaultProvider(name: string): Result<void> {
    return this.#change((document) => document.set(['default_provider'], name));
  }

  setProvider(name: string, change: { readonly model?: string; readonly baseUrl?: string }): Result<void> {
    if (!providerIds.includes(name)) return err(unknownProvider(name, 'provider'));
    return this.#change((document) => {
      if (change.model !== undefined) document.set([name, 'model'], change.model);
      if (change.baseUrl) document.set([name, 'base_url'], change.baseUrl);
      else if (change.baseUrl === '') document.delete([name, 'base_url']);
    });
  }

  setBudget(budget: DaemonConfig['budget']): Result<void> {
    return this.#change((document) => {
      for (const [key, value] of Object.entries(budget)) {
        if (value === null) document.delete(['budget', key]);
        else document.set(['budget', key], value);
      }
    });
  }

  setPolicy(change: Partial<DaemonConfig['policy']>): Result<void> {
    return this.#change((document) => {
      for (const [key, value] of Object.entries(change)) {
        if (value === null || (Array.isArray(value) && value.length === 0)) document.delete(['policy', key]);
        else document.set(['policy', key], value);
      }
    });
  }

  setSenderMessages(limit: number): Result<void> {
    return this.#change((document) => document.set(['limits', 'sender_messages'], limit));
  }

  setArchiveDays(days: number): Result<void> {
    return this.#change((document) => document.set(['tasks', 'archive_days'], days));
  }

  setNotifications({ sounds, quietHours = {}, quietApprovals }: NotificationChange): Result<void> {
    return this.#change((document) => {
      const at = 'notifications';
      if (sounds !== undefined) document.set([at, 'sounds'], sounds);
      if (quietApprovals !== undefined) document.set([at, 'quiet_approvals'], quietApprovals);
      for (const [day, span] of Object.entries(quietHours)) {
        if (span === null) document.delete([at, 'quiet_hours', day]);
        else if (span !== undefined) document.set([at, 'quiet_hours', day], span);
      }
    });
  }

  setWorkers(workers: number | null): Result<void> {
    return this.#change((document) => {
      if (workers === null) document.delete(['tasks', 'workers']);
      else document.set(['tasks', 'workers'], workers);
    });
  }

  setTasksOf(agentId: string, concurrency: number): Result<void> {
    return this.#change((document) => {
      if (concurrency === 1) document.delete(['tasks', 'per_agent', agentId]);
      else document.set(['tasks', 'per_agent', agentId], concurrency);
    });
  }

  reload(): void {
    this.#loaded = this.#loaded ? { ...this.#loaded, signature: 'read again' } : null;
  }

  #change(edit: (document: YamlDocument) => void): Result<void> {
    const text = this.yaml();
    if (!text.ok) return text;
    const before = parse(text.value, this.path);
    if (!before.ok) return before;
    edit(before.value.document);
    const next = before.value.document.text();
    const checked = parse(next, this.path);
    if (!checked.ok) return err(withHint(checked.error, say('agents.fileUnchanged')));
    return this.#deps.disk.write(this.path, next);
  }

  #current(): Loaded {
    const signature = signatureOf(this.path);
    if (this.#loaded?.signature === signature) return this.#loaded;
    this.#loaded = this.#load(signature);
    return this.#loaded;
  }

  #load(signature: string): Loaded {
    const text = this.#deps.disk.readText(this.path, maxBytes);
    if (text.ok && text.value === null) return { signature, config: defaultDaemonConfig(), error: null };
    const read = text.ok ? parse(text.value ?? '', this.path) : text;
    if (!read.ok) {
      const { message, where } = read.error;
      this.#deps.log.warn('daemon_config_bad', { message, where });
      return { signature, config: this.#loaded?.config ?? defaultDaemonConfig(), error: read.error };
    }
    const { config, document } = read.value;
    const error = this.#takeKeys(config, document);
    return { signature: error ? signature : signatureOf(this.path), config, error };
  }

  /** Blanks the keys in the file only after the wrapped store has them. */
  #takeKeys(config: DaemonConfig, document: YamlDocument): AppError | null {
    let moved = 0;
    for (const name of providerIds) {
      const found = providerSection(config, name);
      if (!found.ok || found.value.api_key === '') continue;
      const taken = this.#deps.takeApiKey(name, found.value.api_key);
      if (!taken.ok) return { ...taken.error, where: this.path };
      document.set([name, 'api_key'], '');
      moved += 1;
    }
    if (moved === 0) return null;
    const written = this.#deps.disk.write(this.path, document.text());
    this.#deps.log.info('api_keys_moved', { moved, blanked: written.ok });
    return written.ok ? null : written.error;
  }
}
