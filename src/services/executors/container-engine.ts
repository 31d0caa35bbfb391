/**
 * Docker or podman by their command line, which both share. It reaches rootless and remote engines as the person
 * set them up, and podman needs no service for it.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ProcessOutcome, ProcessPort } from '../../core/tools/process-ports.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';

type Environment = Readonly<Record<string, string>>;

export interface ContainerEngine {
  readonly name: 'docker' | 'podman';
  readonly program: string;
  readonly env: Environment;
  /** The engine runs as the person, so that root inside a container is the person outside. */
  readonly isRootless: boolean;
  /** Fails with the engine's last line if it refuses. */
  run(args: readonly string[], options?: EngineCall): Promise<Result<string>>;
}

interface EngineCall {
  readonly timeoutMs?: number;
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
  'CONTAINER_HOST', 'CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF',
]; // biome-ignore format: a list

/** ms for an answer of the engine. */
const answerMs = 30_000;
const maxAnswerBytes = 4 * 1024 * 1024;

const probes = {
  docker: ['info', '--format', '{{.SecurityOptions}}'],
  podman: ['info', '--format', '{{.Host.Security.Rootless}}'],
} as const;

/** The first engine that answers, or `null`. */
export async function findContainerEngine(deps: FindEngineDeps): Promise<ContainerEngine | null> {
  const folders = pathFolders(deps.path);
  const env: Record<string, string> = { PATH: deps.path };
  for (const name of passedOn) {
    const value = deps.env[name];
    if (value !== undefined) env[name] = value;
  }
  for (const name of ['docker', 'podman'] as const) {
    const program = findProgram(name, folders);
    if (program === null) continue;
    const engine = engineAt(deps.process, name, program, env);
    const answer = await engine.run(probes[name], { timeoutMs: 10_000 });
    if (answer.ok) return { ...engine, isRootless: /rootless|true/.test(answer.value) };
  }
  return null;
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
    async run(args, { timeoutMs = answerMs, onOutput } = {}) {
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
        new AbortController().signal,
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
