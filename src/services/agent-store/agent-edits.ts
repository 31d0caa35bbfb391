/**
 * Changes to agents on disk. Each change is complete or absent (built under a temporary name and renamed),
 * keeps unknown keys, and is validated before it is written.
 */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type AppError, withHint } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { agentConfigObject, agentConfigSchema, isAgentId } from '../../core/agents/agent-config.ts';
import { fieldError } from '../../core/lib/field-error.ts';
import { writeYaml, type YamlDocument, type YamlPath } from '../../core/lib/yaml-document.ts';
import type { Clock, DiskPort, Random } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import { configFile, maxConfigBytes } from './agent-folder.ts';
import type { AgentChange, NewAgent } from './agent-types.ts';
import { readConfigText } from './read-config.ts';

export interface EditDeps {
  readonly home: string;
  readonly disk: DiskPort;
  readonly clock: Clock;
  readonly random: Random;
}

export const noAgent = (id: string): AppError => fail('not_found', 'agents.unknownAgentId', { id });

/** YYYYMMDD-HHMMSS in UTC, the form of archive names (spec §5). */
function archiveStamp(now: number): string {
  const iso = new Date(now).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}`;
}

export function createAgentFolder({ home, disk, random }: EditDeps, agent: NewAgent): Result<string> {
  const { id } = agent;
  if (!isAgentId(id)) {
    return err(fail('invalid_input', 'agents.invalidAgentId', { id }, { help: 'agents.agentIdRules' }));
  }
  const config = agentConfigSchema().safeParse(agent.config);
  if (!config.success) return err(fieldError(config.error));
  const folder = join(home, 'agents', id);
  const building = join(home, 'agents', `.new-${id}-${random.uuid()}`);
  const steps = [
    () => disk.write(join(building, configFile), writeYaml(agentConfigObject(id, config.data))),
    () => disk.write(join(building, basename(config.data.profile)), agent.profile),
    () => makeFolders(building),
    () => agent.furnish?.(building) ?? ok(undefined),
    () => disk.move(building, folder),
  ];
  for (const step of steps) {
    const done = step();
    if (done.ok) continue;
    disk.remove(building);
    return err(done.error.code === 'conflict' ? fail('conflict', 'programs.agentTaken', { id }) : done.error);
  }
  return ok(folder);
}

function makeFolders(folder: string): Result<void> {
  try {
    for (const name of ['memory', 'keys', 'workspace'])
      mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    return ok(undefined);
  } catch (cause) {
    return err(fail('io_error', 'agents.createFolderFailed', { cause: String(cause) }, { where: folder }));
  }
}

const sections = ['puffo_core', 'runtime', 'triggers', 'tools', 'bash', 'policy', 'budget'] as const;
const fields = ['state', 'display_name', 'avatar_url', 'role', 'role_short', 'on_arrival'] as const;

/** Members that are `undefined` change nothing. */
function pathsOf(change: AgentChange): readonly (readonly [YamlPath, unknown])[] {
  const top = fields.map((key) => [[key], change[key]] as const);
  const nested = sections.flatMap((section) =>
    Object.entries(change[section] ?? {}).map(([key, value]) => [[section, key], value] as const),
  );
  return [...top, ...nested].filter(([, value]) => value !== undefined);
}

const ownKeys = new Set([
  'triggers.channels',
  'bash.allowed_roots',
  'bash.writable_roots',
  'policy.rules',
  'runtime.base_url',
  'runtime.context_window',
  'runtime.max_output_tokens',
  'runtime.temperature',
  'runtime.native_tools',
  'runtime.price',
]);

/** Empty values of Kennel's own keys are deleted from the file. */
function apply(document: YamlDocument, path: YamlPath, value: unknown): void {
  const own = ownKeys.has(path.join('.')) || path[0] === 'tools' || path[0] === 'budget';
  const empty =
    value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  if (own && empty) document.delete(path);
  else document.set(path, value);
}

export function changeAgent({ home, disk }: EditDeps, id: string, change: AgentChange): Result<void> {
  const path = join(home, 'agents', id, configFile);
  const text = disk.readText(path, maxConfigBytes);
  if (!text.ok) return text;
  if (text.value === null) return err(noAgent(id));
  const read = readConfigText(text.value, path);
  if (!read.ok) return read;
  const { document } = read.value;
  for (const [key, value] of pathsOf(change)) apply(document, key, value);
  return writeChecked(disk, path, document.text());
}

/** Writes only text that can be read again. */
export function writeChecked(disk: DiskPort, path: string, yaml: string): Result<void> {
  const checked = readConfigText(yaml, path);
  if (!checked.ok) return err(withHint(checked.error, say('agents.fileUnchanged')));
  return disk.write(path, yaml.endsWith('\n') ? yaml : `${yaml}\n`);
}

export function archiveAgent(deps: EditDeps, id: string, by: 'command' | 'flag'): Result<string> {
  const name = `${id}${by === 'flag' ? '-ws' : ''}-${archiveStamp(deps.clock.now())}`;
  const archived = join(deps.home, 'archived');
  for (let n = 1; n < 100; n += 1) {
    const target = join(archived, n === 1 ? name : `${name}-${n}`);
    const moved = deps.disk.move(join(deps.home, 'agents', id), target);
    if (moved.ok) return ok(target);
    if (moved.error.code !== 'conflict') return moved;
  }
  return err(fail('conflict', 'agents.archiveNameTaken', { id }));
}

/** Renamed first, so that a crash leaves no half-deleted agent. */
export function deleteAgent({ home, disk, random }: EditDeps, id: string): Result<void> {
  const leaving = join(home, 'agents', `.deleting-${id}-${random.uuid()}`);
  const moved = disk.move(join(home, 'agents', id), leaving);
  return moved.ok ? disk.remove(leaving) : moved;
}

/**
 * Removes what a crash left half created or half deleted; for the start, when no other process uses the
 * folder.
 */
export function clearUnfinishedEdits({ home, disk }: EditDeps): void {
  const found = disk.folders(join(home, 'agents'));
  for (const name of found.ok ? found.value : []) {
    if (/^[.](new|deleting)-/.test(name)) disk.remove(join(home, 'agents', name));
  }
}
