/**
 * Docker or podman by their command line, which both share. It reaches rootless and remote engines as the person
 * set them up, and podman needs no service for it.
 */
import type { EngineView } from '../../contract/container-images.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ProcessOutcome, ProcessPort } from '../../core/tools/process-ports.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';

type Environment = Readonly<Record<string, string>>;

export interface ContainerEngine {
  readonly name: 'docker' | 'podman';
  readonly program: string;
  readonly env: Environment;
  /** A rootless engine: root inside a container has the rights of the person outside. */
  readonly isRootless: boolean;
  /** Fails with the engine's last line if it refuses. */
  run(args: readonly string[], options?: EngineCall): Promise<Result<string>>;
}

interface EngineCall {
  readonly timeoutMs?: number;
  /** Ends the engine's program. */
  readonly signal?: AbortSignal;
  /** Called with each piece of output of a long operation. */
  readonly onOutput?: (text: string) => void;
}

export interface FindEngineDeps {
  readonly process: ProcessPort;
  /** PATH of the person. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where the person's engine keeps its settings, and how it is reached. */
const passedOn = [
  'HOME', 'USER', 'LANG', 'XDG_RUNTIME_DIR', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY',
  'CONTAINER_HOST', 'CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'BUILDAH_ISOLATION', 'REGISTRY_AUTH_FILE',
]; // biome-ignore format: a list

/** ms for an answer of the engine. */
const answerMs = 30_000;
const maxAnswerBytes = 4 * 1024 * 1024;

/** Prints whether the engine runs as the person. */
const rootlessArgs = {
  docker: ['info', '--format', '{{.SecurityOptions}}'],
  podman: ['info', '--format', '{{.Host.Security.Rootless}}'],
} as const;

export interface FoundEngine {
  readonly engine: ContainerEngine;
  readonly state: EngineView['state'];
  /** The engine's last line if it is not ready. */
  readonly why: string;
}

/** The engines on PATH, asked one after the other until one is ready. */
export async function findContainerEngines(deps: FindEngineDeps): Promise<readonly FoundEngine[]> {
  const folders = pathFolders(deps.path);
  const env: Record<string, string> = { PATH: deps.path };
  for (const name of passedOn) {
    const value = deps.env[name];
    if (value !== undefined) env[name] = value;
  }
  const found: FoundEngine[] = [];
  for (const name of ['docker', 'podman'] as const) {
    const program = findProgram(name, folders);
    if (program === null) continue;
    const one = await probe(engineAt(deps.process, name, program, env));
    found.push(one);
    if (one.state === 'ready') break;
  }
  return found;
}

async function probe(engine: ContainerEngine): Promise<FoundEngine> {
  const options = { timeoutMs: 10_000 };
  // `docker info` gives no reason if its daemon does not answer.
  const daemon = engine.name === 'docker' ? await engine.run(['version'], options) : ok('');
  const answer = daemon.ok ? await engine.run(rootlessArgs[engine.name], options) : daemon;
  if (answer.ok) {
    const isRootless = /rootless|true/.test(answer.value);
    return { engine: { ...engine, isRootless }, state: 'ready', why: '' };
  }
  const why = String(answer.error.said?.values?.why ?? '');
  return { engine, state: stateIn(why), why };
}

/** The engines have no codes for this; an unknown sentence is shown as it is. */
function stateIn(why: string): EngineView['state'] {
  if (/permission denied|operation not permitted/i.test(why)) return 'noPermission';
  return /cannot connect|is the docker daemon running|connection refused|no such file/i.test(why)
    ? 'notRunning'
    : 'failed';
}

/** Asks the engine again, which may have stopped since it was found. */
export async function stillReady(engine: ContainerEngine): Promise<Result<ContainerEngine>> {
  return readyEngine([await probe(engine)]);
}

/** The first engine that is ready; otherwise why none is. */
export function readyEngine(found: readonly FoundEngine[]): Result<ContainerEngine> {
  const ready = found.find(({ state }) => state === 'ready');
  if (ready) return ok(ready.engine);
  const [first] = found;
  if (!first) return err(fail('unavailable', 'container.noEngine', {}, { help: 'container.installEngine' }));
  const engine = first.engine.name;
  switch (first.state) {
    case 'noPermission':
      return err(fail('forbidden', 'container.noPermission', { engine }, { help: 'container.giveRights' }));
    case 'notRunning':
      return err(fail('unavailable', 'container.notRunning', { engine }, { help: 'container.startEngine' }));
    default:
      return err(fail('unavailable', 'container.engineFailed', { engine, why: first.why }));
  }
}

function engineAt(
  process: ProcessPort,
  name: ContainerEngine['name'],
  program: string,
  env: Environment,
): ContainerEngine {
  return {
    name,
    program,
    env,
    isRootless: false,
    async run(args, { timeoutMs = answerMs, signal, onOutput } = {}) {
      const outcome = await process.run(
        {
          program,
          args,
          cwd: '/',
          env,
          timeoutMs,
          maxStdoutBytes: maxAnswerBytes,
          maxStderrBytes: 64 * 1024,
          ...(onOutput && { onOutput: (_stream, bytes) => onOutput(Buffer.from(bytes).toString('utf8')) }),
        },
        signal ?? new AbortController().signal,
      );
      return outcome.ok ? answerOf(name, args, outcome.value) : outcome;
    },
  };
}

function answerOf(name: string, [verb = '']: readonly string[], outcome: ProcessOutcome): Result<string> {
  if (outcome.exitCode === 0) return ok(Buffer.from(outcome.stdout).toString('utf8').trim());
  if (outcome.timedOut) return err(fail('timeout', 'container.engineSilent', { engine: name, verb }));
  const why = Buffer.from(outcome.stderr).toString('utf8').trim().split('\n').at(-1) ?? '';
  return err(fail('unavailable', 'container.engineRefused', { engine: name, verb, why }));
}
