/**
 * Commands in a micro-VM of microsandbox, by its program `msb`. Without KVM it refuses: nothing runs anywhere else.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Executor, ExecutorCheck, SessionToOpen } from '../../core/executors/executor-ports.ts';
import type { ProcessOutcome, ProcessPort } from '../../core/tools/process-ports.ts';
import { say } from '../../language/say.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';
import { type Inside, openSession, type SessionFiles } from './executor-session.ts';
import { refuseUnless, type SessionFolders } from './session-folders.ts';
import { holdMasked, refusedPathsIn, type SessionView, viewOf } from './session-view.ts';

export interface MicrovmDeps {
  readonly process: ProcessPort;
  readonly folders: SessionFolders;
  /** PATH of the person. */
  readonly path: string;
  /** The device of KVM. */
  readonly device?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** ms for an answer of `msb`; it may get an image first. */
const answerMs = 120_000;
const maxAnswerBytes = 64 * 1024;

type Msb = (args: readonly string[]) => Promise<Result<ProcessOutcome>>;

export function createMicrovmExecutor(deps: MicrovmDeps): Executor {
  const { process, folders, path, device = '/dev/kvm' } = deps;
  const find = (): string | null => findProgram('msb', pathFolders(path));
  const env = { PATH: path, HOME: deps.env.HOME ?? folders.home };
  const msbAt =
    (program: string): Msb =>
    (args) =>
      process.run(
        {
          program,
          args,
          cwd: '/',
          env,
          timeoutMs: answerMs,
          maxStdoutBytes: maxAnswerBytes,
          maxStderrBytes: maxAnswerBytes,
        },
        new AbortController().signal,
      );

  const verify = async (): Promise<ExecutorCheck> => {
    const program = find();
    if (program === null)
      return { ok: false, message: say('executors.microvmMissing'), mend: say('executors.installMicrovm') };
    const machine = deviceCheck(device);
    if (machine !== null) return machine;
    const why = failureOf(await msbAt(program)(['doctor']));
    return why === null
      ? { ok: true, message: say('executors.microvmOk', { program }), mend: null }
      : {
          ok: false,
          message: say('executors.microvmFailed', { why }),
          mend: say('executors.enableVirtualisation'),
        };
  };

  return {
    kind: 'microvm',
    capabilities: {
      isolation: 'machine',
      files: true,
      network: true,
      memory: true,
      pids: true,
      image: true,
    },
    verify,
    async open(request) {
      const may = refuseUnless('microvm', await verify());
      if (!may.ok) return may;
      const program = find() ?? 'msb';
      // The network of the machine is its own: a connection cannot wait for an answer.
      const { ask: _, ...plain } = request;
      return openSession({
        process,
        folder: folders.next(),
        request: { ...plain, options: { ...plain.options, allowed_domains: [] } },
        start: (files) => startMachine({ program, env, msb: msbAt(program), folders }, request, files),
      });
    },
  };
}

function deviceCheck(device: string): ExecutorCheck | null {
  if (!existsSync(device))
    return {
      ok: false,
      message: say('executors.noKvm', { device }),
      mend: say('executors.enableVirtualisation'),
    };
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return null;
  } catch {
    return { ok: false, message: say('executors.kvmForbidden'), mend: say('executors.joinKvm') };
  }
}

/** The error that `msb` names; `null` if it succeeded. */
function failureOf(outcome: Result<ProcessOutcome>): string | null {
  if (!outcome.ok) return outcome.error.message;
  const { exitCode, stdout, stderr } = outcome.value;
  if (exitCode === 0) return null;
  const said = `${Buffer.from(stdout)}\n${Buffer.from(stderr)}`;
  return /^error: (.+)$/m.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
}

/** Arguments that make the machine; fails for a path that `msb` cannot take. */
export function machineArgs(
  name: string,
  { options }: Pick<SessionToOpen, 'options'>,
  view: SessionView,
  empty: string,
): Result<readonly string[]> {
  const all = [...view.readable, ...view.writable, ...view.masked, ...view.hidden];
  const wrong = all.find((path) => path.includes(':'));
  if (wrong !== undefined)
    return err(fail('unsupported', 'executors.notOpened', { kind: 'microvm', why: wrong }));
  const rule = (action: string, host: string): string => `--net-rule=${action}@${host}:tcp:443`;
  return ok([
    'create',
    '--quiet',
    `--name=${name}`,
    `--memory=${options.memory}M`,
    '--security=restricted',
    '--no-net',
    '--net-strict',
    ...options.denied_domains.map((host) => rule('deny', host)),
    ...options.allowed_domains.map((host) => rule('allow', host)),
    ...view.hidden.map((path) => `--tmpfs=${path}`),
    ...view.readable
      .filter((path) => !view.writable.includes(path))
      .map((path) => `--volume=${path}:${path}:ro`),
    ...view.writable.map((path) => `--volume=${path}:${path}`),
    ...view.masked.map((path) => `--mount-file=${empty}:${path}:ro`),
    options.image,
  ]);
}

let count = 0;

async function startMachine(
  deps: {
    readonly program: string;
    readonly env: Readonly<Record<string, string>>;
    readonly msb: Msb;
    readonly folders: SessionFolders;
  },
  request: SessionToOpen,
  files: SessionFiles,
): Promise<Result<Inside>> {
  const { program, env, msb, folders } = deps;
  count += 1;
  const name = `kennel-${process.pid}-${Date.now().toString(36)}-${count}`;
  const view = viewOf(request, { home: folders.home, files });
  const args = machineArgs(name, request, view, files.empty);
  if (!args.ok) return args;
  const release = holdMasked(view.masked);
  const remove = async (): Promise<void> => {
    await msb(['remove', '--force', '--quiet', name]);
    release();
  };
  const why = failureOf(await msb(args.value));
  if (why !== null) {
    await remove();
    return err(fail('unavailable', 'executors.notOpened', { kind: 'microvm', why }));
  }
  return ok({
    outer: (argv) => ({
      program,
      args: [
        'exec',
        '--quiet',
        '--stream',
        `--rlimit=nproc=${request.options.pids}`,
        `--workdir=${request.workspace}`,
        name,
        '--',
        ...argv,
      ],
      cwd: '/',
      env,
    }),
    env: {},
    limitsInShell: false,
    refusedPaths: (stderr) => refusedPathsIn(stderr, view, [...(request.hidden ?? []), files.folder]),
    async reset() {
      // The end of `msb exec` does not end the command inside.
      await msb(['restart', name]);
    },
    close: remove,
  });
}
