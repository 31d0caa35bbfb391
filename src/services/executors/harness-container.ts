/**
 * Runs an agent's program in a container of its own, which is kept: stopped between two starts, made again if
 * its image, folders or limits changed. It sees the folders of its wall and one socket, and nothing of the host.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isInsideAny } from '../../core/policy/paths.ts';
import type { HarnessCommand, HarnessContainer, HarnessWall } from '../../core/runtimes/harness-ports.ts';
import { markerName } from '../../platform/process-marker.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { type ContainerEngine, stillReady } from './container-engine.ts';
import {
  isolationFlags,
  limitFlags,
  maxCpus,
  maxProcesses,
  mountFlags,
  ownerDigest,
  ownerLabelName,
} from './container-flags.ts';
import { openGateway } from './container-gateway.ts';
import { type ContainerStart, launcherFile, launcherScript, startFile } from './container-launcher.ts';
import type { OpenSocket } from './listen-in-folder.ts';

/** The folder of the launcher inside a container. */
const insideFolder = '/run/kennel';
const stopSeconds = '1';
/** Enough for a large program that only prints its version. */
const versionMemory = '1g';
const maxVersionLength = 4_096;

export interface HarnessContainersDeps {
  /** Fails with a sentence if this computer has no usable engine. */
  readonly engine: () => Promise<Result<ContainerEngine>>;
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
  /** Ends the processes of the container, and keeps the container. */
  stop(): Promise<void>;
}

export interface HarnessContainers {
  /** `unavailable` without an engine, `not_found` without the image. */
  prepare(command: HarnessCommand, wall: ContainerWall, marker: string): Promise<Result<PreparedContainer>>;
  /** The program's answer to `--version` in a container of this image; `null` if the image lacks it. */
  versionOf(image: string, program: string): Promise<Result<string | null>>;
  readonly limits: { readonly cpus: number; readonly processes: number };
  /** State of the agent's container, as the engine calls it; `null` before the first start. */
  stateOf(agentId: string): Promise<string | null>;
  /** Host id of the first process of a running container; `null` if it does not run. */
  pidOf(name: string): Promise<number | null>;
  /**
   * Stops what an earlier host left running, and removes the containers of agents that are gone. Does nothing if
   * the engine does not answer.
   */
  tidy(isAgent: (agentId: string) => boolean): Promise<void>;
  /** Removes the containers of a deleted agent; succeeds if it has none. */
  remove(agentId: string): Promise<Result<void>>;
}

export type ContainerWall = HarnessWall & { readonly container: HarnessContainer };

const foundSchema = z.tuple([
  z.looseObject({
    State: z.looseObject({ Status: z.string() }),
    Config: z.looseObject({ Labels: z.record(z.string(), z.string()).nullish() }),
  }),
]);

const labels = { agent: 'kennel.agent', home: ownerLabelName, settings: 'kennel.settings' } as const;
/** States from which `start` works. */
const startable: ReadonlySet<string> = new Set(['created', 'configured', 'initialized', 'exited', 'stopped']);

export function createHarnessContainers({
  engine: findEngine,
  folder,
  home,
}: HarnessContainersDeps): HarnessContainers {
  /** Containers whose program runs. */
  const used = new Set<string>();
  /** The last search for what an earlier host left; it would stop a container that starts meanwhile. */
  let tidying: Promise<void> = Promise.resolve();
  /** By image id and program: an image never changes. */
  const versions = new Map<string, string>();
  const homeDigest = ownerDigest(home);
  const nameOf = (agentId: string): string =>
    `kennel-${agentId.replace(/[^a-zA-Z0-9_.-]/g, '_')}-${sha256Hex(`${home}\n${agentId}`).slice(0, 8)}`;
  /** An agent has one container. Only while that is in use, a second thread of the agent gets another one. */
  const freeName = (agentId: string): string => {
    const base = nameOf(agentId);
    let name = base;
    for (let number = 2; used.has(name); number += 1) name = `${base}-${number}`;
    return name;
  };

  const tidyUp = async (isAgent: (agentId: string) => boolean): Promise<void> => {
    const found = await findEngine();
    if (!found.ok) return;
    for (const { name, agentId } of await containersOf(found.value, homeDigest)) {
      if (used.has(name)) continue;
      await found.value.run(['stop', '--time', stopSeconds, name]);
      rmSync(join(folder, name), { recursive: true, force: true });
      if (!isAgent(agentId)) await removeContainers(found.value, [name]);
    }
  };

  return {
    async prepare(command, wall, marker) {
      await tidying;
      const found = await findEngine();
      if (!found.ok) return found;
      const engine = found.value;
      const { image } = wall.container;
      const imageId = await idOf(engine, image);
      if (!imageId.ok) return imageId;
      const name = freeName(command.agentId);
      used.add(name);
      const files = join(folder, name);
      const settings = settingsOf(engine, wall, files);
      const digest = sha256Hex(JSON.stringify([imageId.value, settings]));
      const opened = await openStart(files, command, wall, marker);
      if (!opened.ok) {
        used.delete(name);
        return opened;
      }
      const made = await makeReady(engine, name, digest, [
        `--label=${labels.agent}=${command.agentId}`,
        `--label=${labels.home}=${homeDigest}`,
        `--label=${labels.settings}=${digest}`,
        ...settings,
        '--entrypoint=node',
        image,
        `${insideFolder}/${launcherFile}`,
      ]);
      if (!made.ok) {
        await opened.value.close();
        used.delete(name);
        return made;
      }
      return ok({
        name,
        argv: [engine.program, 'start', '--attach', '--interactive', name],
        env: engine.env,
        async stop() {
          await engine.run(['stop', '--time', stopSeconds, name]);
          await opened.value.close();
          rmSync(files, { recursive: true, force: true });
          used.delete(name);
        },
      });
    },
    async versionOf(image, program) {
      const found = await findEngine();
      if (!found.ok) return found;
      const imageId = await idOf(found.value, image);
      if (!imageId.ok) return imageId;
      const key = `${imageId.value} ${program}`;
      const known = versions.get(key);
      if (known !== undefined) return ok(known);
      const name = `kennel-version-${randomUUID()}`;
      used.add(name);
      const label = `--label=${labels.home}=${homeDigest}`;
      const asked = await askVersion(found.value, imageId.value, program, [`--name=${name}`, label]);
      // The end of the engine's program does not end the container.
      if (!asked.ok) await removeContainers(found.value, [name]);
      used.delete(name);
      const version = asked.ok ? versionIn(asked.value) : null;
      if (version !== null) versions.set(key, version);
      return ok(version);
    },
    limits: { cpus: maxCpus, processes: maxProcesses },
    async stateOf(agentId) {
      const found = await findEngine();
      if (!found.ok) return null;
      const inspected = await found.value.run(['container', 'inspect', nameOf(agentId)]);
      return inspected.ok ? (readState(inspected.value)?.status ?? null) : null;
    },
    async pidOf(name) {
      const found = await findEngine();
      if (!found.ok) return null;
      const pid = await found.value.run(['container', 'inspect', '--format', '{{.State.Pid}}', name]);
      return pid.ok && Number(pid.value) > 1 ? Number(pid.value) : null;
    },
    tidy(isAgent) {
      const tidied = tidyUp(isAgent);
      tidying = tidied.catch(() => undefined);
      return tidied;
    },
    async remove(agentId) {
      const found = await findEngine();
      if (!found.ok) return ok(undefined);
      const all = await containersOf(found.value, homeDigest);
      return removeContainers(
        found.value,
        all.filter((one) => one.agentId === agentId).map(({ name }) => name),
      );
    },
  };
}

/** The engines name the labels of a container in different ways. */
const labelOf = {
  docker: `{{.Label "${labels.agent}"}}`,
  podman: `{{index .Labels "${labels.agent}"}}`,
} as const;

async function containersOf(engine: ContainerEngine, homeDigest: string) {
  const listed = await engine.run([
    'ps',
    '--all',
    `--filter=label=${labels.home}=${homeDigest}`,
    `--format={{.Names}} ${labelOf[engine.name]}`,
  ]);
  const lines = listed.ok ? listed.value.split('\n').filter((line) => line !== '') : [];
  return lines.map((line) => {
    const [name = '', agentId = ''] = line.split(' ');
    return { name, agentId };
  });
}

async function removeContainers(engine: ContainerEngine, names: readonly string[]): Promise<Result<void>> {
  if (names.length === 0) return ok(undefined);
  const removed = await engine.run(['rm', '--force', '--volumes', ...names]);
  return removed.ok ? ok(undefined) : removed;
}

/** The image is untrusted. By its label the next host finds the container if this one was killed. */
const askVersion = (
  engine: ContainerEngine,
  image: string,
  program: string,
  options: readonly string[],
): Promise<Result<string>> =>
  engine.run([
    'run',
    '--rm',
    '--init',
    ...options,
    '--network=none',
    ...isolationFlags,
    ...limitFlags(engine),
    `--memory=${versionMemory}`,
    '--env=HOME=/tmp',
    `--entrypoint=${program}`,
    image,
    '--version',
  ]);

/** The output is the image's: only its start is read, and only a plain version is taken from it. */
const versionIn = (output: string): string =>
  /(?<!\d)\d{1,9}(?:\.\d{1,9}){1,3}(?:[-+][\w.-]{1,40})?/.exec(output.slice(0, maxVersionLength))?.[0] ?? '';

async function idOf(engine: ContainerEngine, image: string): Promise<Result<string>> {
  const id = await engine.run(['image', 'inspect', '--format', '{{.Id}}', image]);
  if (id.ok || id.error.code !== 'unavailable') return id;
  const ready = await stillReady(engine);
  return ready.ok
    ? err(fail('not_found', 'container.imageMissing', { image }, { help: 'container.makeImage' }))
    : ready;
}

/** A kept container is used again; one that cannot be started, or has other settings, is replaced. */
async function makeReady(
  engine: ContainerEngine,
  name: string,
  digest: string,
  settings: readonly string[],
): Promise<Result<unknown>> {
  const found = await engine.run(['container', 'inspect', name]);
  const state = found.ok ? readState(found.value) : null;
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

function readState(text: string): { readonly status: string; readonly settings: string } | null {
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
  return [
    ...(network === 'none' ? ['--network=none'] : []),
    ...isolationFlags,
    ...limitFlags(engine),
    ...(container.memory === '' ? [] : [`--memory=${container.memory}`]),
    ...(container.memoryReservation === '' ? [] : [`--memory-reservation=${container.memoryReservation}`]),
    ...mountFlags(engine, [
      ...readable.map((path) => ({ path, isReadOnly: true })),
      ...writable.map((path) => ({ path, isReadOnly: false })),
      ...hidden.map((path) => ({ path, source: null, isReadOnly: true })),
    ]),
    ...mountFlags(engine, [{ path: insideFolder, source: files, isReadOnly: true }]),
    '--workdir=/',
  ];
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

/** Loopback port of the data service, as programs of puffo-agent expect it. */
const dataPort = 63_386;
const proxyPort = 63_380;

/** Secrets are in a file of the owner, because arguments and settings of a container are shown by its engine. */
async function openStart(
  files: string,
  { argv, env, cwd }: HarnessCommand,
  { model, data = null, container, network }: ContainerWall,
  marker: string,
): Promise<Result<OpenSocket>> {
  // PATH is that of the image.
  const { PATH: _, ...inside } = env;
  const hosts = network === 'none' ? container.hosts : [];
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const start: ContainerStart = {
    argv,
    env: {
      ...inside,
      [markerName]: marker,
      ...(data && { PUFFO_DATA_SERVICE_URL: `http://127.0.0.1:${dataPort}` }),
      ...(hosts.length > 0 && {
        HTTPS_PROXY: proxy,
        https_proxy: proxy,
        NO_PROXY: '127.0.0.1,localhost',
        no_proxy: '127.0.0.1,localhost',
        // Node.js uses the variables above only if it is told to.
        NODE_USE_ENV_PROXY: '1',
      }),
    },
    cwd,
    ports: {
      ...(model && { model: Number(new URL(model.url).port) }),
      ...(data && { data: dataPort }),
      ...(hosts.length > 0 && { web: proxyPort }),
    },
  };
  try {
    rmSync(files, { recursive: true, force: true });
    mkdirSync(files, { recursive: true, mode: 0o700 });
    writeFileSync(join(files, launcherFile), launcherScript, { mode: 0o600 });
    writeFileSync(join(files, startFile), JSON.stringify(start), { mode: 0o600 });
  } catch (error) {
    return err(fail('io_error', 'container.startNotWritten', { why: errorText(error) }));
  }
  return openGateway(files, { model: model?.socketPath ?? null, data, hosts });
}
