/**
 * An OS sandbox by bubblewrap: separate namespaces for processes, mounts, network and users, no new
 * privileges, the system's programs read-only, the folders of the view, and nothing else of the disk: no
 * home, no data folder, no keys. It does not limit memory or processor time.
 */
import type { Result } from '../../contract/result.ts';
import { isInsideAny } from '../../core/policy/paths.ts';
import type {
  ProcessOutcome,
  ProcessPort,
  ProcessRequest,
  SandboxPort,
  SandboxView,
} from '../../core/tools/process-ports.ts';
import { isExecutable } from '../../platform/find-program.ts';
import { realPathOrNull } from '../../platform/real-path.ts';

const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'];
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store'];
/** Only the part of /etc that programs need to start; no passwords, keys or machine settings. */
const settings = [
  'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'passwd', 'group', 'nsswitch.conf', 'localtime',
  'timezone', 'os-release', 'mime.types', 'ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'pki', 'fonts', 'protocols',
  'services',
]; // biome-ignore format: a list
/** Paths of the system that programs need to start. */
export const systemFiles = [...system, ...settings.map((name) => `/etc/${name}`)];
const networkSettings = ['resolv.conf', 'hosts', 'host.conf', 'gai.conf'];

const depth = (path: string): number => path.split('/').filter(Boolean).length;

interface Mount {
  readonly path: string;
  readonly words: readonly string[];
}

/** Files that appear empty and read-only, by an empty file that is mounted over them. */
export interface MaskedFiles {
  readonly paths: readonly string[];
  readonly empty: string;
}

/** Wider folders first, so that a narrower one inside them keeps its own access right. */
function mounts(view: SandboxView, hidden: readonly string[], masked: MaskedFiles): string[] {
  const all: Mount[] = [
    ...masked.paths.map((path) => ({ path, words: ['--ro-bind', masked.empty, path] })),
    ...hidden.map((path) => ({ path, words: ['--tmpfs', path] })),
    ...view.readable
      .filter((path) => !view.writable.includes(path))
      .map((path) => ({ path, words: ['--ro-bind-try', path, path] })),
    ...view.writable.map((path) => ({ path, words: ['--bind-try', path, path] })),
  ];
  return all.toSorted((a, b) => depth(a.path) - depth(b.path)).flatMap(({ words }) => words);
}

/** The arguments before the program itself. */
export function bubblewrapArgs(
  view: SandboxView,
  cwd: string,
  hidden: readonly string[] = [],
  masked: MaskedFiles = { paths: [], empty: '' },
): readonly string[] {
  const files = [...settings, ...(view.network ? networkSettings : [])].map((name) => `/etc/${name}`);
  const shown = [...view.readable, ...view.writable];
  return [
    '--unshare-all',
    ...(view.network ? ['--share-net'] : []),
    '--new-session',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    '--hostname',
    'sandbox',
    ...[...system, ...files].flatMap((path) => ['--ro-bind-try', path, path]),
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    // A sandbox of root could otherwise change settings of the kernel, such as the program that gets core dumps.
    '--ro-bind-try',
    '/proc/sys',
    '/proc/sys',
    '--tmpfs',
    '/tmp',
    '--dir',
    '/run',
    ...mounts(
      view,
      hidden.filter((path) => isInsideAny(shown, path)),
      masked,
    ),
    // The root itself is a tmpfs.
    '--remount-ro',
    '/',
    '--chdir',
    cwd,
    '--',
  ];
}

export type BubblewrapProbe =
  | { readonly type: 'works'; readonly program: string }
  | { readonly type: 'missing' | 'noLinux' }
  | { readonly type: 'blocked'; readonly why: string };

/** Runs a program in bubblewrap, because the system may block it. */
export async function probeBubblewrap(port: ProcessPort): Promise<BubblewrapProbe> {
  if (process.platform !== 'linux') return { type: 'noLinux' };
  const program = places.find(isExecutable);
  if (program === undefined) return { type: 'missing' };
  const view: SandboxView = { readable: [], writable: [], network: false };
  const probe = await port.run(
    {
      program,
      args: [...bubblewrapArgs(view, '/'), '/bin/true'],
      cwd: '/',
      env: {},
      timeoutMs: 5_000,
      maxStdoutBytes: 0,
      maxStderrBytes: 1_024,
    },
    new AbortController().signal,
  );
  if (probe.ok && probe.value.exitCode === 0) return { type: 'works', program };
  const said = probe.ok ? Buffer.from(probe.value.stderr).toString().trim() : probe.error.message;
  return { type: 'blocked', why: said.split('\n').at(-1) ?? '' };
}

/** The path of bubblewrap; `null` if it is missing or the system blocks it. */
export async function findBubblewrapProgram(port: ProcessPort): Promise<string | null> {
  const probe = await probeBubblewrap(port);
  return probe.type === 'works' ? probe.program : null;
}

/**
 * Returns `null` if bubblewrap is missing or the system blocks it. `hidden` folders appear empty even inside
 * a folder of the view. The view's folders must be real paths; others are omitted.
 */
export async function findBubblewrap(ports: {
  readonly process: ProcessPort;
  readonly hidden?: readonly string[];
}): Promise<SandboxPort | null> {
  const program = await findBubblewrapProgram(ports.process);
  if (program === null) return null;
  const hidden = ports.hidden?.map((path) => realPathOrNull(path) ?? path);
  // A root that became a link after the roots were pinned would expose the link's target.
  const held = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => realPathOrNull(path) === path);
  const run = (
    request: ProcessRequest,
    view: SandboxView,
    signal: AbortSignal,
  ): Promise<Result<ProcessOutcome>> =>
    ports.process.run(
      {
        ...request,
        program,
        cwd: '/',
        args: [
          ...bubblewrapArgs(
            { ...view, readable: held(view.readable), writable: held(view.writable) },
            request.cwd,
            hidden,
          ),
          request.program,
          ...request.args,
        ],
      },
      signal,
    );
  return { kind: 'bubblewrap', run };
}
