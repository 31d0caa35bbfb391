/**
 * Runs an agent's program in a container of its own, which is kept: stopped between two starts, made again if
 * its image, folders or limits changed. It sees the folders of its wall and one socket, and nothing of the host.
 */
import { linkSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isInsideAny } from '../../core/policy/paths.ts';
import type { HarnessCommand, HarnessContainer, HarnessWall } from '../../core/runtimes/harness-ports.ts';
import { markerName } from '../../platform/process-marker.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ContainerEngine } from './container-engine.ts';
import {
  type ContainerStart,
  launcherFile,
  launcherScript,
  socketFile,
  startFile,
} from './container-launcher.ts';

/** The folder of the launcher inside a container. */
const insideFolder = '/run/kennel';
const maxProcesses = 512;
const hardened = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges'];
const stopSeconds = '1';

export interface HarnessContainersDeps {
  /** `null` if this computer has no usable engine. */
  readonly engine: () => Promise<ContainerEngine | null>;
  /** The folder for the launchers' files, which its owner alone can read. */
  readonly folder: string;
  /** Tells the containers of this data folder from those of another. */
  readonly home: string;
}

/** A container that waits for its start by `argv`. */
export interface PreparedContainer {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Ends what is left in the container. The container stays. */
  stop(): Promise<void>;
}

export interface HarnessContainers {
  /** `unavailable` without an engine, `not_found` without the image. */
  prepare(command: HarnessCommand, wall: ContainerWall, marker: string): Promise<Result<PreparedContainer>>;
  /** The program's answer to `--version` in a container of this image; `null` if the image lacks it. */
  versionOf(image: string, program: string): Promise<Result<string | null>>;
  /** Removes the container of a deleted agent; succeeds if it has none. */
  remove(agentId: string): Promise<Result<void>>;
}

export type ContainerWall = HarnessWall & { readonly container: HarnessContainer };

const foundSchema = z.tuple([
  z.looseObject({
    State: z.looseObject({ Status: z.string() }),
    Config: z.looseObject({ Labels: z.record(z.string(), z.string()).nullish() }),
  }),
]);

const labels = { agent: 'kennel.agent', home: 'kennel.home', settings: 'kennel.settings' } as const;
/** States from which `start` works. */
const startable: ReadonlySet<string> = new Set(['created', 'configured', 'initialized', 'exited', 'stopped']);

export function createHarnessContainers({
  engine: findEngine,
  folder,
  home,
}: HarnessContainersDeps): HarnessContainers {
  /** By image id and program: an image never changes. */
  const versions = new Map<string, string>();
  const homeDigest = sha256Hex(home).slice(0, 12);
  const nameOf = (agentId: string): string =>
    `kennel-${agentId.replace(/[^a-zA-Z0-9_.-]/g, '_')}-${sha256Hex(`${home}\n${agentId}`).slice(0, 8)}`;
  const engineOrError = async (): Promise<Result<ContainerEngine>> => {
    const engine = await findEngine();
    return engine === null ? err(fail('unavailable', 'container.noEngine')) : ok(engine);
  };

  return {
    async prepare(command, wall, marker) {
      const found = await engineOrError();
      if (!found.ok) return found;
      const engine = found.value;
      const { image } = wall.container;
      const imageId = await idOf(engine, image);
      if (!imageId.ok) return imageId;
      const name = nameOf(command.agentId);
      const files = join(folder, name);
      const settings = settingsOf(engine, wall, files);
      const digest = sha256Hex(JSON.stringify([imageId.value, settings]));
      const written = writeStart(files, command, wall, marker);
      if (!written.ok) return written;
      const made = await makeReady(engine, name, digest, [
        `--label=${labels.agent}=${command.agentId}`,
        `--label=${labels.home}=${homeDigest}`,
        `--label=${labels.settings}=${digest}`,
        ...settings,
        '--entrypoint=node',
        image,
        `${insideFolder}/${launcherFile}`,
      ]);
      if (!made.ok) return made;
      return ok({
        name,
        argv: [engine.program, 'start', '--attach', '--interactive', name],
        env: engine.env,
        async stop() {
          await engine.run(['stop', '--time', stopSeconds, name]);
          rmSync(files, { recursive: true, force: true });
        },
      });
    },
    async versionOf(image, program) {
      const found = await engineOrError();
      if (!found.ok) return found;
      const imageId = await idOf(found.value, image);
      if (!imageId.ok) return imageId;
      const key = `${imageId.value} ${program}`;
      const known = versions.get(key);
      if (known !== undefined) return ok(known);
      const asked = await askVersion(found.value, imageId.value, program);
      const version = asked.ok ? (/\d+(?:\.\d+)+\S*/.exec(asked.value)?.[0] ?? '') : null;
      if (version !== null) versions.set(key, version);
      return ok(version);
    },
    async remove(agentId) {
      const found = await findEngine();
      if (found === null) return ok(undefined);
      const name = nameOf(agentId);
      const known = await found.run(['container', 'inspect', name]);
      if (!known.ok) return ok(undefined);
      const removed = await found.run(['rm', '--force', '--volumes', name]);
      return removed.ok ? ok(undefined) : removed;
    },
  };
}

const askVersion = (engine: ContainerEngine, image: string, program: string): Promise<Result<string>> =>
  engine.run([
    'run',
    '--rm',
    '--network=none',
    ...hardened,
    '--env=HOME=/tmp',
    `--entrypoint=${program}`,
    image,
    '--version',
  ]);

async function idOf(engine: ContainerEngine, image: string): Promise<Result<string>> {
  const id = await engine.run(['image', 'inspect', '--format', '{{.Id}}', image]);
  return id.ok || id.error.code !== 'unavailable'
    ? id
    : err(fail('not_found', 'container.imageMissing', { image, engine: engine.name }));
}

/** A kept container is used again; one that cannot be started, or has other settings, is replaced. */
async function makeReady(
  engine: ContainerEngine,
  name: string,
  digest: string,
  settings: readonly string[],
): Promise<Result<unknown>> {
  const found = await engine.run(['container', 'inspect', name]);
  const state = found.ok ? stateOf(found.value) : null;
  if (state !== null) {
    const { status, settings: made } = state;
    if (status === 'paused') await engine.run(['unpause', name]);
    // A program of an earlier host holds a token that is no longer valid.
    if (status === 'running' || status === 'paused') await engine.run(['stop', '--time', stopSeconds, name]);
    const canStart = startable.has(status) || status === 'running' || status === 'paused';
    if (canStart && made === digest) return ok(undefined);
  }
  if (found.ok) {
    const removed = await engine.run(['rm', '--force', '--volumes', name]);
    if (!removed.ok) return removed;
  }
  return engine.run(['create', '--interactive', '--init', '--name', name, ...settings]);
}

function stateOf(text: string): { readonly status: string; readonly settings: string } | null {
  try {
    const [{ State, Config }] = foundSchema.parse(JSON.parse(text));
    return { status: State.Status, settings: Config.Labels?.[labels.settings] ?? '' };
  } catch {
    return null;
  }
}

/** Everything that the container may see and use. The paths inside are those outside, so that the gate checks real files. */
function settingsOf(engine: ContainerEngine, wall: ContainerWall, files: string): readonly string[] {
  const { container, network } = wall;
  const writable = realFolders(wall.writable);
  const readable = realFolders(wall.readable).filter((path) => !writable.includes(path));
  const hidden = wall.hidden.filter((path) => isInsideAny([...readable, ...writable], path));
  const uid = process.getuid?.() ?? 1000;
  const gid = process.getgid?.() ?? 1000;
  return [
    ...(network === 'none' ? ['--network=none'] : []),
    ...hardened,
    '--security-opt=label=disable',
    `--pids-limit=${maxProcesses}`,
    ...(container.memory === '' ? [] : [`--memory=${container.memory}`]),
    ...(container.memoryReservation === '' ? [] : [`--memory-reservation=${container.memoryReservation}`]),
    // Files that the program writes belong to the person.
    ...(engine.name === 'podman' && engine.isRootless ? ['--userns=keep-id'] : []),
    `--user=${uid}:${gid}`,
    ...byDepth([
      ...readable.map((path) => ({ path, words: bind(path, path, true) })),
      ...writable.map((path) => ({ path, words: bind(path, path, false) })),
      ...hidden.map((path) => ({ path, words: [`--tmpfs=${path}`] })),
    ]),
    ...bind(files, insideFolder, true),
    '--workdir=/',
  ];
}

interface Mount {
  readonly path: string;
  readonly words: readonly string[];
}

/** Wider folders first, so that a narrower one inside them keeps its own access right. */
const byDepth = (mounts: readonly Mount[]): readonly string[] =>
  mounts
    .toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
    .flatMap(({ words }) => words);

/** The engines read the value as one line of CSV. */
function bind(source: string, target: string, isReadOnly: boolean): readonly string[] {
  const fields = ['type=bind', `source=${source}`, `target=${target}`, ...(isReadOnly ? ['readonly'] : [])];
  const quoted = fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return [`--mount=${quoted.join(',')}`];
}

/** A folder that became a link would expose the target of the link. */
const realFolders = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].filter((path) => {
    try {
      return realpathSync(path) === path;
    } catch {
      return false;
    }
  });

/** Secrets are in a file of the owner, because arguments and settings of a container are shown by its engine. */
function writeStart(
  files: string,
  { argv, env, cwd }: HarnessCommand,
  { model }: HarnessWall,
  marker: string,
): Result<void> {
  // PATH is that of the image.
  const { PATH: _, ...inside } = env;
  const port = model === null ? null : Number(new URL(model.url).port);
  const start: ContainerStart = { argv, env: { ...inside, [markerName]: marker }, cwd, port };
  try {
    rmSync(files, { recursive: true, force: true });
    mkdirSync(files, { recursive: true, mode: 0o700 });
    writeFileSync(join(files, launcherFile), launcherScript, { mode: 0o600 });
    writeFileSync(join(files, startFile), JSON.stringify(start), { mode: 0o600 });
    // The container is kept while sockets come and go, so its folder gets a second name of each new socket.
    if (model !== null) linkSync(model.socketPath, join(files, socketFile));
    return ok(undefined);
  } catch (error) {
    return err(fail('io_error', 'container.startNotWritten', { why: errorText(error) }));
  }
}
