/**
 * Commands in a container of Docker or podman, which lives as long as its session. Its first program serves the proxy
 * for allowed domains and otherwise waits.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Executor, ExecutorCheck, SessionToOpen } from '../../core/executors/executor-ports.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import { say } from '../../language/say.ts';
import type { ContainerEngine } from './container-engine.ts';
import { isolationFlags, limitFlags, type Mount, mountFlags, ownerLabel } from './container-flags.ts';
import { hasImage } from './container-images.ts';
import { egressPort, type Inside, openSession, type SessionFiles } from './executor-session.ts';
import { waitingProgram } from './model-bridge.ts';
import { refuseUnless, type SessionFolders } from './session-folders.ts';
import { holdMasked, refusedPathsIn, viewOf } from './session-view.ts';

export interface ContainerDeps {
  readonly process: ProcessPort;
  readonly folders: SessionFolders;
  /** Fails with a sentence if this computer has no usable engine. */
  readonly engine: () => Promise<Result<ContainerEngine>>;
  /** The data folder, whose next host removes what this one left. */
  readonly owner: string;
  /** Image of the options that `verify` looks for. */
  readonly image: string;
}

export function createContainerExecutor(deps: ContainerDeps): Executor {
  const verifyImage = async (image: string): Promise<ExecutorCheck> => {
    const found = await deps.engine();
    if (!found.ok) {
      const { said, help, message } = found.error;
      return {
        ok: false,
        message: { key: said?.key ?? '', values: said?.values, text: message },
        mend: help === undefined ? null : { ...help, text: found.error.hint ?? '' },
      };
    }
    const engine = found.value;
    return (await hasImage(engine, image))
      ? { ok: true, message: say('executors.engineOk', { engine: engine.name, image }), mend: null }
      : {
          ok: false,
          message: say('container.imageMissing', { image }),
          mend: say('executors.pullImage', { image }),
        };
  };
  return {
    kind: 'container',
    capabilities: {
      isolation: 'namespaces',
      files: true,
      network: true,
      memory: true,
      pids: true,
      image: true,
    },
    verify: () => verifyImage(deps.image),
    async open(request) {
      const may = refuseUnless('container', await verifyImage(request.options.image));
      if (!may.ok) return may;
      const engine = await deps.engine();
      if (!engine.ok) return engine;
      return openSession({
        process: deps.process,
        folder: deps.folders.next(),
        request,
        start: (files) => startContainer(deps, engine.value, request, files),
      });
    },
  };
}

let count = 0;

async function startContainer(
  { folders, owner }: ContainerDeps,
  engine: ContainerEngine,
  request: SessionToOpen,
  files: SessionFiles,
): Promise<Result<Inside>> {
  const { options, workspace } = request;
  count += 1;
  const name = `kennel-executor-${process.pid}-${Date.now().toString(36)}-${count}`;
  const view = viewOf(request, { home: folders.home, files });
  const release = holdMasked(view.masked);
  const mounts: readonly Mount[] = [
    ...view.readable
      .filter((path) => !view.writable.includes(path))
      .map((path) => ({ path, isReadOnly: true })),
    ...view.writable.map((path) => ({ path, isReadOnly: false })),
    ...view.masked.map((path) => ({ path, source: files.empty, isReadOnly: true })),
    ...view.hidden.map((path) => ({ path, source: null, isReadOnly: true })),
  ];
  const remove = async (): Promise<void> => {
    await engine.run(['rm', '--force', '--volumes', '--time', '0', name]);
    release();
  };
  const made = await engine.run([
    'create',
    '--init',
    `--name=${name}`,
    ownerLabel(owner),
    '--network=none',
    ...isolationFlags,
    ...limitFlags(engine, options.pids),
    `--memory=${options.memory}m`,
    ...mountFlags(engine, mounts),
    '--workdir=/',
    '--env=HOME=/tmp',
    '--entrypoint=sh',
    options.image,
    ...waitingProgram(files.socket === null ? null : { port: egressPort, socketPath: files.socket }),
  ]);
  const started = made.ok ? await engine.run(['start', name]) : made;
  if (!started.ok) {
    await remove();
    return err(fail('unavailable', 'executors.notOpened', { kind: 'container', why: started.error.message }));
  }
  return ok({
    outer: (argv, hasInput) => ({
      program: engine.program,
      args: ['exec', ...(hasInput ? ['--interactive'] : []), `--workdir=${workspace}`, name, ...argv],
      cwd: '/',
      env: engine.env,
    }),
    env: {},
    limitsInShell: false,
    refusedPaths: (stderr) => refusedPathsIn(stderr, view, [...(request.hidden ?? []), files.folder]),
    async reset() {
      // The end of the engine's program does not end the command inside.
      await engine.run(['restart', '--time', '0', name]);
    },
    close: remove,
  });
}
