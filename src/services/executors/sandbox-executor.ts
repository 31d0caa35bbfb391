/** Commands in bubblewrap, the sandbox that the shell of agents uses. */
import { readFileSync } from 'node:fs';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Executor, ExecutorCheck, SessionToOpen } from '../../core/executors/executor-ports.ts';
import type { ProcessPort } from '../../core/tools/process-ports.ts';
import { say } from '../../language/say.ts';
import { type BubblewrapProbe, bubblewrapArgs, probeBubblewrap } from './bubblewrap.ts';
import { egressPort, type Inside, openSession, type SessionFiles } from './executor-session.ts';
import { bridgeArgs, findModelBridge } from './model-bridge.ts';
import { refuseUnless, type SessionFolders } from './session-folders.ts';
import { holdMasked, refusedPathsIn, type SessionView, viewOf } from './session-view.ts';

export interface SandboxDeps {
  readonly process: ProcessPort;
  readonly folders: SessionFolders;
  /** A setting of the kernel, such as `user/max_user_namespaces`; `null` if it does not exist. */
  readonly kernelSetting?: (name: string) => string | null;
}

export const systemPath = '/usr/local/bin:/usr/bin:/bin';

function readKernelSetting(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Names the reason as far as the kernel tells it. */
export function sandboxCheck(
  probe: BubblewrapProbe,
  kernelSetting: (name: string) => string | null,
): ExecutorCheck {
  switch (probe.type) {
    case 'works':
      return { ok: true, message: say('executors.sandboxOk', { program: probe.program }), mend: null };
    case 'noLinux':
      return { ok: false, message: say('executors.sandboxOnLinux'), mend: say('executors.chooseContainer') };
    case 'missing':
      return { ok: false, message: say('executors.sandboxMissing'), mend: say('executors.installSandbox') };
    case 'blocked':
      return blockedCheck(probe.why, kernelSetting);
  }
}

function blockedCheck(why: string, kernelSetting: (name: string) => string | null): ExecutorCheck {
  const blocked = (setting: string): ExecutorCheck => ({
    ok: false,
    message: say('executors.namespacesBlocked'),
    mend: say('executors.allowNamespaces', { setting }),
  });
  if (kernelSetting('user/max_user_namespaces') === '0') return blocked('user.max_user_namespaces=10000');
  if (kernelSetting('kernel/unprivileged_userns_clone') === '0')
    return blocked('kernel.unprivileged_userns_clone=1');
  if (kernelSetting('kernel/apparmor_restrict_unprivileged_userns') === '1')
    return { ok: false, message: say('executors.appArmorBlocks'), mend: say('executors.addProfile') };
  return { ok: false, message: say('executors.sandboxFailed', { why }), mend: say('executors.runByHand') };
}

/** Parts that executors with the programs of the computer share. */
export function insideView(
  request: SessionToOpen,
  files: SessionFiles,
  home: string,
  outer: (view: SessionView, argv: readonly string[]) => ReturnType<Inside['outer']>,
): Result<Inside> {
  const bridge = files.socket === null ? null : findModelBridge();
  if (files.socket !== null && bridge === null) return err(fail('unavailable', 'executors.noBridge'));
  const { socket } = files;
  const within = (argv: readonly string[]): readonly string[] =>
    bridge === null || socket === null
      ? argv
      : bridgeArgs(bridge, { url: `http://127.0.0.1:${egressPort}`, socketPath: socket }, argv);
  const node = bridge?.kind === 'node' ? [bridge.node] : [];
  // A path may have become a link since the last command.
  const look = (): SessionView => {
    const view = viewOf(request, { home, files });
    return { ...view, readable: [...view.readable, ...node] };
  };
  let view = look();
  let release = (): void => undefined;
  return ok({
    outer: (argv) => outer(view, within(argv)),
    env: {},
    limitsInShell: true,
    refusedPaths: (stderr) => refusedPathsIn(stderr, view, [...(request.hidden ?? []), files.folder]),
    before() {
      view = look();
      release = holdMasked(view.masked);
    },
    after: () => release(),
    close: async () => undefined,
  });
}

export function createSandboxExecutor({
  process,
  folders,
  kernelSetting = readKernelSetting,
}: SandboxDeps): Executor {
  let probe: Promise<BubblewrapProbe> | null = null;
  const verify = async (): Promise<ExecutorCheck> => {
    probe ??= probeBubblewrap(process);
    const check = sandboxCheck(await probe, kernelSetting);
    // A person may mend it meanwhile.
    if (!check.ok) probe = null;
    return check;
  };
  return {
    kind: 'sandbox',
    capabilities: {
      isolation: 'namespaces',
      files: true,
      network: true,
      memory: true,
      pids: globalThis.process.getuid?.() !== 0,
      image: false,
    },
    verify,
    async open(request) {
      const may = refuseUnless('sandbox', await verify());
      if (!may.ok) return may;
      const found = await (probe ?? probeBubblewrap(process));
      const program = found.type === 'works' ? found.program : '';
      return openSession({
        process,
        folder: folders.next(),
        request,
        start: async (files) =>
          insideView(request, files, folders.home, (view, argv) => ({
            program,
            args: [
              ...bubblewrapArgs(
                { readable: view.readable, writable: view.writable, network: false },
                request.workspace,
                view.hidden,
                { paths: view.masked, empty: files.empty },
              ),
              ...argv,
            ],
            cwd: '/',
            env: { PATH: systemPath, HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8', TERM: 'dumb' },
          })),
      });
    },
  };
}
