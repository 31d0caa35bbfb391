/**
 * Commands in gVisor: a kernel of their own in a program of the person, which answers their system calls. The paths
 * are those of the sandbox.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import type { Executor, ExecutorCheck } from '../../core/executors/executor-ports.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import { say } from '../../language/say.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';
import { systemFiles } from './bubblewrap.ts';
import { openSession } from './executor-session.ts';
import { insideView, systemPath } from './sandbox-executor.ts';
import { refuseUnless, type SessionFolders } from './session-folders.ts';
import type { SessionView } from './session-view.ts';

export interface GvisorDeps {
  readonly process: ProcessPort;
  readonly folders: SessionFolders;
  /** PATH of the person. */
  readonly path: string;
}

/** Flags of runsc. Without control groups it needs no rights; sockets can be connected to, not made outside. */
const flags = ['--rootless', '--ignore-cgroups', '--network=none', '--host-uds=open'];
const environment = [`PATH=${systemPath}`, 'HOME=/tmp', 'TMPDIR=/tmp', 'LANG=C.UTF-8', 'TERM=dumb'];

interface Mount {
  readonly destination: string;
  readonly type: string;
  readonly source?: string;
  readonly options?: readonly string[];
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
const bind = (path: string, right: 'ro' | 'rw', source = path): Mount => ({
  destination: path,
  type: 'bind',
  source,
  options: ['rbind', right, 'nosuid', 'nodev'],
});
const depth = ({ destination }: Mount): number => destination.split('/').filter(Boolean).length;

/** The bundle of the Open Container Initiative for one command. */
export function gvisorBundle(
  view: SessionView,
  command: { readonly argv: readonly string[]; readonly cwd: string; readonly empty: string },
): unknown {
  const mounts = [
    { destination: '/tmp', type: 'tmpfs' },
    ...systemFiles.filter(exists).map((path) => bind(path, 'ro')),
    ...view.hidden.map((path) => ({ destination: path, type: 'tmpfs' })),
    ...view.masked.map((path) => bind(path, 'ro', command.empty)),
    ...view.readable.filter((path) => !view.writable.includes(path)).map((path) => bind(path, 'ro')),
    ...view.writable.map((path) => bind(path, 'rw')),
  ];
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  return {
    ociVersion: '1.0.0',
    process: {
      user: { uid: 0, gid: 0 },
      args: command.argv,
      env: environment,
      cwd: command.cwd,
      capabilities: none,
      noNewPrivileges: true,
    },
    root: { path: 'root', readonly: true },
    hostname: 'sandbox',
    mounts: [{ destination: '/proc', type: 'proc' }, ...mounts.toSorted((a, b) => depth(a) - depth(b))],
    linux: { namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
  };
}

/** Writes a bundle and returns the arguments that run it. */
function bundleArgs(folder: string, bundle: unknown, id: string): readonly string[] {
  mkdirSync(join(folder, 'root'), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, 'config.json'), JSON.stringify(bundle), { mode: 0o600 });
  return [`--root=${join(folder, 'state')}`, ...flags, 'run', `--bundle=${folder}`, id];
}

export function createGvisorExecutor({ process, folders, path }: GvisorDeps): Executor {
  const find = (): string | null => findProgram('runsc', pathFolders(path));

  const verify = async (): Promise<ExecutorCheck> => {
    const program = find();
    if (program === null)
      return { ok: false, message: say('executors.gvisorMissing'), mend: say('executors.installGvisor') };
    const why = await probe(process, program);
    return why === null
      ? { ok: true, message: say('executors.gvisorOk', { program }), mend: null }
      : { ok: false, message: say('executors.gvisorFailed', { why }), mend: say('executors.chooseSandbox') };
  };

  return {
    kind: 'gvisor',
    capabilities: {
      isolation: 'kernel',
      files: true,
      network: true,
      memory: false,
      pids: false,
      image: false,
    },
    verify,
    async open(request) {
      const may = refuseUnless('gvisor', await verify());
      if (!may.ok) return may;
      const program = find() ?? 'runsc';
      const folder = folders.next();
      const bundle = join(folder, 'bundle');
      let commands = 0;
      return openSession({
        process,
        folder,
        request,
        start: async (files) =>
          insideView(request, files, folders.home, (view, argv) => {
            commands += 1;
            const config = gvisorBundle(view, { argv, cwd: request.workspace, empty: files.empty });
            return {
              program,
              args: bundleArgs(bundle, config, `kennel-${globalThis.process.pid}-${commands}`),
              cwd: '/',
              env: { PATH: systemPath },
            };
          }),
      });
    },
  };
}

/** Why `runsc` does not run a program; `null` if it does. */
async function probe(process: ProcessPort, program: string): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-runsc-'));
  const view: SessionView = { readable: [], writable: [], hidden: [], masked: [] };
  try {
    const outcome = await process.run(
      {
        program,
        args: bundleArgs(folder, gvisorBundle(view, { argv: ['/bin/true'], cwd: '/', empty: '' }), 'probe'),
        cwd: '/',
        env: { PATH: systemPath },
        timeoutMs: 20_000,
        maxStdoutBytes: 0,
        maxStderrBytes: 4_096,
      },
      new AbortController().signal,
    );
    if (!outcome.ok) return outcome.error.message;
    if (outcome.value.exitCode === 0) return null;
    return Buffer.from(outcome.value.stderr).toString().trim().split('\n').at(-1) ?? '';
  } catch (error) {
    return errorText(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
