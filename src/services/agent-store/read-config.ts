/** Parses an agent.yml to a valid config, and detects a file that is still being written. */
import { type AppError, withHint } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { isRecord } from '../../contract/is-record.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type AgentConfig, parseAgentConfig } from '../../core/agents/agent-config.ts';
import { readYaml, type YamlDocument } from '../../core/lib/yaml-document.ts';
import { say } from '../../language/say.ts';
import { maxConfigBytes } from './agent-folder.ts';

export interface ReadConfig {
  readonly config: AgentConfig;
  readonly document: YamlDocument;
  /** Names of all keys down to the second level, one per line. */
  readonly keys: string;
}

function keysOf(value: unknown): string {
  if (!isRecord(value)) return '';
  return Object.entries(value)
    .flatMap(([key, member]) => [
      key,
      ...(isRecord(member) ? Object.keys(member).map((sub) => `${key}.${sub}`) : []),
    ])
    .sort()
    .join('\n');
}

const located = (error: AppError, path: string): AppError =>
  withHint(
    { ...error, where: error.where ? `${path}, ${error.where}` : path },
    say('agents.fixSettingsFile'),
  );

/** Errors carry file, line and reason. */
export function readConfigText(text: string, path: string): Result<ReadConfig> {
  if (Buffer.byteLength(text) > maxConfigBytes) {
    return err(located(fail('too_large', 'agents.settingsTooLarge', { maxConfigBytes }), path));
  }
  if (text.trim() === '') return err(located(fail('invalid_input', 'agents.fileEmpty'), path));
  const document = readYaml(text);
  if (!document.ok) return err(located(document.error, path));
  const config = parseAgentConfig(document.value);
  if (!config.ok) return err(located(config.error, path));
  return ok({ config: config.value, document: document.value, keys: keysOf(document.value.value) });
}

/**
 * True if the text may be incomplete: it does not parse, lacks its last line break, or lost keys of the
 * previous text (a truncated file is often valid YAML, and would stop the agent; F20).
 */
export function looksUnfinished(text: string, read: Result<ReadConfig>, keysBefore: string): boolean {
  if (!read.ok || !text.endsWith('\n')) return true;
  const now = new Set(read.value.keys.split('\n'));
  return keysBefore.split('\n').some((key) => !now.has(key));
}
