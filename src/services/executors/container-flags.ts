/** Flags of Docker and podman for every container that Kennel makes: rights, limits, mounts, and whose it is. */
import { availableParallelism } from 'node:os';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ContainerEngine } from './container-engine.ts';

export const maxProcesses = 512;
export const maxCpus = Math.min(2, availableParallelism());

export const isolationFlags = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--security-opt=label=disable',
];

/** Files that the program writes belong to the person. */
export const limitFlags = (engine: ContainerEngine, processes = maxProcesses): readonly string[] => [
  `--pids-limit=${processes}`,
  `--cpus=${maxCpus}`,
  ...(engine.name === 'podman' && engine.isRootless ? ['--userns=keep-id'] : []),
  `--user=${process.getuid?.() ?? 1000}:${process.getgid?.() ?? 1000}`,
];

/** Label of all containers of a data folder. */
export const ownerLabelName = 'kennel.home';
export const ownerDigest = (home: string): string => sha256Hex(home).slice(0, 12);
export const ownerLabel = (home: string): string => `--label=${ownerLabelName}=${ownerDigest(home)}`;

export interface Mount {
  /** Absolute path inside. */
  readonly path: string;
  /** Path outside; the same if absent. `null`: an empty folder. */
  readonly source?: string | null;
  readonly isReadOnly: boolean;
}

/** Wider folders first, so that a narrower one inside them keeps its own access right. */
export const mountFlags = (engine: ContainerEngine, mounts: readonly Mount[]): readonly string[] =>
  mounts
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
    .map(({ path, source = path, isReadOnly }) =>
      source === null ? emptyFolder(engine, path) : bind(source, path, isReadOnly),
    );

/** podman would copy into it the very files that it is to hide. */
const emptyFolder = ({ name }: ContainerEngine, path: string): string =>
  name === 'podman' ? `--tmpfs=${path}:notmpcopyup` : `--tmpfs=${path}`;

/** The engines read the value as one line of CSV. */
function bind(source: string, target: string, isReadOnly: boolean): string {
  const fields = ['type=bind', `source=${source}`, `target=${target}`, ...(isReadOnly ? ['readonly'] : [])];
  const quoted = fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `--mount=${quoted.join(',')}`;
}
