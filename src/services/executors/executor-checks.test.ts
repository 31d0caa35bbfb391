import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { executorOptionsSchema } from '../../core/executors/executor-ports.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createGvisorExecutor, gvisorBundle } from './gvisor-executor.ts';
import { createMicrovmExecutor, machineArgs } from './microvm-executor.ts';
import { createProcessPort } from './process.ts';
import { sandboxCheck } from './sandbox-executor.ts';
import { createSessionFolders } from './session-folders.ts';
import { refusedPathsIn } from './session-view.ts';

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-checks-')));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
const clock = createSystemClock();
const process_ = createProcessPort({ clock });
const folders = createSessionFolders(join(parent, 'run'), parent);

describe('the check of the sandbox', () => {
  const blocked = { type: 'blocked', why: 'bwrap: setting up uid map: Permission denied' } as const;
  const settings = (all: Record<string, string>) => (name: string) => all[name] ?? null;

  it.each([
    ['executors.sandboxMissing', 'executors.installSandbox', { type: 'missing' }, {}],
    ['executors.sandboxOnLinux', 'executors.chooseContainer', { type: 'noLinux' }, {}],
    [
      'executors.namespacesBlocked',
      'executors.allowNamespaces',
      blocked,
      { 'user/max_user_namespaces': '0' },
    ],
    [
      'executors.namespacesBlocked',
      'executors.allowNamespaces',
      blocked,
      { 'kernel/unprivileged_userns_clone': '0' },
    ],
    [
      'executors.appArmorBlocks',
      'executors.addProfile',
      blocked,
      { 'kernel/apparmor_restrict_unprivileged_userns': '1', 'user/max_user_namespaces': '96000' },
    ],
    ['executors.sandboxFailed', 'executors.runByHand', blocked, {}],
  ] as const)('says %s and %s', (message, mend, probe, kernel) => {
    expect(sandboxCheck(probe, settings(kernel))).toMatchObject({
      ok: false,
      message: { key: message },
      mend: { key: mend },
    });
  });

  it('works', () => {
    expect(sandboxCheck({ type: 'works', program: '/usr/bin/bwrap' }, settings({}))).toMatchObject({
      ok: true,
      mend: null,
    });
  });
});

describe('gVisor', () => {
  it('is not available without runsc, and says how to get it', async () => {
    const executor = createGvisorExecutor({ process: process_, folders, path: '/nothing' });
    expect(await executor.verify()).toMatchObject({
      ok: false,
      message: { key: 'executors.gvisorMissing' },
      mend: { key: 'executors.installGvisor' },
    });
  });

  it('is not available if runsc starts no program', async () => {
    const bin = join(parent, 'broken');
    mkdirSync(bin);
    writeFileSync(join(bin, 'runsc'), '#!/bin/sh\necho "no platform" >&2\nexit 128\n', { mode: 0o755 });
    const executor = createGvisorExecutor({ process: process_, folders, path: bin });
    const check = await executor.verify();
    expect(check).toMatchObject({ ok: false, message: { key: 'executors.gvisorFailed' } });
    expect(check.message.text).toContain('no platform');
  });

  it('mounts narrower paths after wider ones, and gives no capability', () => {
    const view = {
      readable: ['/w/a/read'],
      writable: ['/w'],
      hidden: ['/w/a'],
      masked: ['/w/.env'],
    };
    const bundle = JSON.stringify(gvisorBundle(view, { argv: ['true'], cwd: '/w', empty: '/empty' }));
    const order = ['"/w"', '"/w/a"', '"/w/a/read"'].map((path) => bundle.indexOf(`"destination":${path}`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order.every((at) => at > 0)).toBe(true);
    expect(bundle).toContain('"permitted":[]');
    expect(bundle).toContain('"source":"/empty"');
  });
});

/** Does what `msb` does with its arguments, without a machine. */
const fakeMsb = `#!/bin/sh
printf '%s\\n' "$*" >>"$LOG_FOLDER/calls"
case $1 in
  doctor) [ -e "$LOG_FOLDER/no-cpu" ] || exit 0
    echo '   ✗ CPU virt     not found'; echo 'error: CPU virtualization is not available' >&2; exit 1 ;;
  create) [ -e "$LOG_FOLDER/full" ] && { echo 'error: no space' >&2; exit 1; }; exit 0 ;;
  exec) while [ "$1" != -- ]; do shift; done; shift; exec "$@" ;;
esac
`;

describe('micro-VM', () => {
  const bin = join(parent, 'bin');
  const device = join(parent, 'kvm');
  mkdirSync(bin);
  writeFileSync(join(bin, 'msb'), fakeMsb.replaceAll('$LOG_FOLDER', parent), { mode: 0o755 });
  writeFileSync(device, '');
  const executor = (change: Partial<Parameters<typeof createMicrovmExecutor>[0]> = {}) =>
    createMicrovmExecutor({
      process: process_,
      folders,
      path: `${bin}:/usr/bin:/bin`,
      device,
      env: { HOME: parent },
      ...change,
    });
  const calls = (): string => readFileSync(join(parent, 'calls'), 'utf8');
  const workspace = join(parent, 'work');
  mkdirSync(workspace);
  const options = executorOptionsSchema().parse({ allowed_domains: ['example.com'], memory: 512 });
  const request = { conversationId: 'c', workspace, options };

  it.each([
    ['executors.microvmMissing', 'executors.installMicrovm', { path: '/nothing' }],
    ['executors.noKvm', 'executors.enableVirtualisation', { device: '/nothing' }],
  ])('fails closed: %s', async (message, mend, change) => {
    const broken = executor(change);
    expect(await broken.verify()).toMatchObject({
      ok: false,
      message: { key: message },
      mend: { key: mend },
    });
    expect(await broken.open(request)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  it('fails closed without virtualisation, with the words of msb', async () => {
    writeFileSync(join(parent, 'no-cpu'), '');
    const check = await executor().verify();
    rmSync(join(parent, 'no-cpu'));
    expect(check.ok).toBe(false);
    expect(check.message.text).toContain('CPU virtualization is not available');
  });

  it('makes a machine, runs commands in it, and removes it', async () => {
    const opened = await executor().open(request);
    if (!opened.ok) throw new Error(opened.error.message);
    const session = opened.value;
    const ran = await session.run({ command: 'cd /; echo "$A"; pwd' }, { env: { A: 'a b' } });
    expect(ran.ok && Buffer.from(ran.value.stdout).toString()).toBe('a b\n/\n');
    await session.close();
    const [doctor, create = '', exec = '', remove = ''] = calls().trim().split('\n').slice(-4);
    expect(doctor).toBe('doctor');
    expect(create).toContain('--memory=512M --security=restricted --no-net --net-strict');
    expect(create).toContain('--net-rule=allow@example.com:tcp:443');
    expect(create).toContain(`--volume=${workspace}:${workspace} `);
    expect(create).toContain(`:${workspace}/.env:ro`);
    expect(exec).toMatch(/^exec --quiet --stream --rlimit=nproc=512 .* -- sh /);
    expect(remove).toMatch(/^remove --force --quiet kennel-/);
  });

  it('restarts the machine after a command that took too long', async () => {
    const opened = await executor().open(request);
    if (!opened.ok) throw new Error(opened.error.message);
    const ran = await opened.value.run({ command: 'sleep 60' }, { timeout: 0.2 });
    expect(ran.ok && ran.value.timedOut).toBe(true);
    expect(calls()).toMatch(/^restart kennel-/m);
    await opened.value.close();
  });

  it('leaves no machine if it cannot be made', async () => {
    writeFileSync(join(parent, 'full'), '');
    const opened = await executor().open(request);
    rmSync(join(parent, 'full'));
    expect(opened).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(calls().trim().split('\n').at(-1)).toMatch(/^remove /);
  });

  it('refuses a path that msb would read as two', () => {
    const view = { readable: ['/a:b'], writable: [], hidden: [], masked: [] };
    expect(machineArgs('n', request, view, '/empty')).toMatchObject({ ok: false });
  });
});

describe('paths in the messages of programs', () => {
  const view = { readable: ['/shown'], writable: [join(parent, 'work')] };
  const file = join(parent, 'a file');
  const plain = join(parent, 'plain');
  writeFileSync(file, '');
  writeFileSync(plain, '');
  chmodSync(plain, 0o600);

  it.each([
    [`cat: ${plain}: No such file or directory`, [{ kind: 'read', target: plain }]],
    [`bash: line 1: ${plain}: Read-only file system`, [{ kind: 'write', target: plain }]],
    [`FileNotFoundError: [Errno 2] No such file or directory: '${file}'`, [{ kind: 'read', target: file }]],
    [`Error: EROFS: read-only file system, open '/etc/x'`, [{ kind: 'write', target: '/etc/x' }]],
    [`cat: ${parent}/missing: No such file or directory`, []],
    [`cat: ${parent}/work/x: Permission denied`, []],
    ['cat: /secret/key: Permission denied', []],
    ['all is well', []],
  ])('%s', (line, wanted) => {
    expect(refusedPathsIn(line, view, ['/secret'])).toEqual(wanted);
  });
});
