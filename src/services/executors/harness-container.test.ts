import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContainerRig, createContainerRig, testImage } from '../../../test/fakes/container-rig.ts';
import { onLinux } from '../../../test/fakes/programs.ts';
import { ok } from '../../contract/result.ts';
import type { HarnessWall } from '../../core/runtimes/harness-ports.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { createHarnessContainers } from './harness-container.ts';
import { createHarnessProcesses } from './harness-process.ts';

const secret = 'TOP-SECRET';
const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-container-')));
const at = (...names: string[]): string => join(parent, ...names);
for (const name of [
  'home/agents/ada/work',
  'home/agents/ada/harness',
  'home/agents/ada/keys',
  'home/agents/bob',
])
  mkdirSync(at(name), { recursive: true });
for (const name of ['home/master.key', 'home/agents/ada/keys/device.json', 'home/agents/bob/notes'])
  writeFileSync(at(name), secret);
symlinkSync(at('home/master.key'), at('home/agents/ada/work/link'));
const work = at('home/agents/ada/work');

const relay = createServer((_request, response) => response.end('from the relay'));
const hostPort = createServer((_request, response) => response.end(secret));
let rig: ContainerRig;
let openPort = 0;

const containers = createHarnessContainers({
  engine: async () => rig.engine,
  folder: at('home/run'),
  home: at('home'),
});
const port = createHarnessProcesses({
  clock: createSystemClock(),
  random: createSystemRandom(),
  ledger: { add: () => ok(undefined), settle: () => undefined },
  hidden: [at('home')],
  containers,
});

const wall: HarnessWall = {
  readable: [],
  writable: [work, at('home/agents/ada/harness')],
  hidden: [],
  network: 'none',
  model: { url: 'http://127.0.0.1:47113', socketPath: at('home/relay.sock') },
  container: { image: testImage, memory: '256m', memoryReservation: '' },
};

const start = async (argv: readonly [string, ...string[]], change: Partial<HarnessWall> = {}) => {
  const env = { PATH: '/not/inside', HOME: at('home/agents/ada/harness'), TOKEN: 'token-of-the-process' };
  const started = await port.start({ agentId: 'ada', argv, env, cwd: work, wall: { ...wall, ...change } });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  return started.value;
};

async function run(argv: readonly [string, ...string[]], change: Partial<HarnessWall> = {}) {
  const harness = await start(argv, change);
  const lines: string[] = [];
  for await (const line of harness.lines) lines.push(line);
  return { out: lines.join('\n'), err: harness.stderrTail(), exit: await harness.exited };
}
const sh = (script: string, change?: Partial<HarnessWall>) => run(['sh', '-c', script], change);
const fetched = (url: string): string =>
  `fetch('${url}', { signal: AbortSignal.timeout(3000) }).then((r) => r.text()).then((t) => console.log(t), () => console.log('refused'))`;
const node = (script: string, change?: Partial<HarnessWall>) => run(['node', '-e', script], change);

const engine = (...args: string[]): string =>
  execFileSync(rig.engine.program, args, { env: rig.engine.env, encoding: 'utf8' }).trim();
/** Name, id and state of every container, in one text. */
function listed(): string {
  const ids = engine('ps', '--all', '--quiet');
  return ids === ''
    ? ''
    : engine('container', 'inspect', '--format', '{{.Name}} {{.Id}} {{.State.Status}}', ids);
}

/** Starts a container as a host does that cannot stop it any more. */
async function abandoned(argv: readonly [string, ...string[]]): Promise<ChildProcess> {
  const { container } = wall;
  if (!container) throw new Error('no container');
  const command = { agentId: 'ada', argv, env: {}, cwd: work, wall };
  const prepared = await containers.prepare(command, { ...wall, container }, 'harness:test:1:');
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.error));
  const {
    argv: [program, ...args],
    env,
  } = prepared.value;
  const client = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
  await expect.poll(() => listed(), { timeout: 20_000 }).toMatch(/ running$/);
  return client;
}

describe.skipIf(!onLinux)('Container of an agent', () => {
  beforeAll(async () => {
    rig = await createContainerRig();
    relay.listen(at('home/relay.sock'));
    await new Promise<void>((resolve) => hostPort.listen(0, '127.0.0.1', resolve));
    openPort = (hostPort.address() as AddressInfo).port;
  }, 120_000);
  afterAll(async () => {
    await port.close();
    for (const server of [relay, hostPort]) server.close();
    rig.remove();
    rmSync(parent, { recursive: true, force: true });
  });

  it('lets the program work in its folders and ask its model', async () => {
    const files = await sh('pwd; echo x > made; echo y > "$HOME/state"; cat made "$HOME/state"; exit 7');
    expect(files).toMatchObject({ out: `${work}\nx\ny`, exit: { code: 7 } });
    expect(readFileSync(join(work, 'made'), 'utf8')).toBe('x\n');
    expect((await node(fetched('http://127.0.0.1:47113/v1/messages'))).out).toBe('from the relay');
  });

  it('passes input on, and is kept: stopped after its program, and used again', async () => {
    const harness = await start(['sh', '-c', 'read first; echo "read $first"; cat']);
    harness.write('one');
    for await (const line of harness.lines) {
      expect(line).toBe('read one');
      break;
    }
    const running = listed();
    expect(running).toMatch(/^kennel-ada-[0-9a-f]{8} [0-9a-f]+ running$/);
    await harness.end();
    expect(listed()).toBe(running.replace('running', 'exited'));
    await sh('true');
    expect(listed()).toBe(running.replace('running', 'exited'));
    // Nothing of a start stays, as its file holds the token.
    expect(existsSync(at('home/run', running.split(' ')[0] ?? ''))).toBe(false);
  });

  it('is made again when its settings change, and after it was paused or removed', async () => {
    await sh('true');
    const first = listed();
    expect(
      (await sh('true', { container: { image: testImage, memory: '300m', memoryReservation: '' } })).exit
        .code,
    ).toBe(0);
    const second = listed();
    expect(second).not.toBe(first);
    const name = second.split(' ')[0] ?? '';
    await abandoned(['sleep', '100']);
    const third = listed();
    engine('pause', name);
    expect((await sh('echo again')).out).toBe('again');
    expect(listed()).toBe(third.replace('running', 'exited'));
    engine('rm', name);
    expect((await sh('echo again')).out).toBe('again');
  });

  it.each([
    [
      'keys and stores of the data folder',
      () => `cat ${at('home/master.key')} ${at('home/agents/ada/keys/device.json')}`,
    ],
    ['the home of another agent', () => `ls ${at('home/agents/bob')}; cat ${at('home/agents/bob/notes')}`],
    ['a link out of the workspace', () => `cat ${work}/link`],
    ['passwords of the computer', () => 'cat /etc/shadow && echo TOP-SECRET'],
    [
      'the root of another process',
      () => 'cat /proc/1/root/etc/shadow /proc/*/root/etc/shadow && echo TOP-SECRET',
    ],
    ['the environment of the host', () => `tr '\\0' '\\n' < /proc/${process.pid}/environ && echo TOP-SECRET`],
    ['a mount of its own', () => 'mount -t tmpfs x /run && echo TOP-SECRET'],
    [
      'the socket of the engine',
      () => 'ls /var/run/docker.sock /run/docker.sock /run/podman && echo TOP-SECRET',
    ],
    ['devices of the computer', () => 'ls /dev/sda /dev/vda /dev/mem /dev/kmsg && echo TOP-SECRET'],
    ['memory of the kernel', () => 'cat /proc/kcore | head -c 1 | grep . && echo TOP-SECRET'],
    ['a write to settings of the kernel', () => 'echo 1 > /proc/sys/kernel/core_pattern && echo TOP-SECRET'],
    [
      'a write beside its folders',
      () => '(echo x > /etc/planted || echo x > /usr/planted) && echo TOP-SECRET',
    ],
  ])('T14, T18: shows and gives nothing of %s', async (_what, script) => {
    const { out, err } = await sh(`(${script()}) 2>&1`);
    expect(`${out}${err}`).not.toContain(secret);
  });

  it.each([
    'http://169.254.169.254/latest/',
    'http://10.0.0.1/',
    'http://[fd00:ec2::254]/',
    'port of the host',
  ])('T18: reaches no other address: %s', async (address) => {
    const url = address.startsWith('http') ? address : `http://127.0.0.1:${openPort}/`;
    expect((await node(fetched(url))).out).toBe('refused');
  });

  it('T18: has no capabilities, and its settings and arguments hold no secret', async () => {
    const status = await sh('cat /proc/self/status; env');
    expect(status.out).toMatch(/CapEff:\s+0000000000000000/);
    expect(status.out).toMatch(/NoNewPrivs:\s+1/);
    // The environment of the process has it, and nothing that the engine shows.
    expect(status.out).toContain('token-of-the-process');
    expect(engine('inspect', listed().split(' ')[0] ?? '')).not.toContain('token-of-the-process');
  });

  it('F2: a program that ignores its end, and its children, are gone after the end', async () => {
    const harness = await start([
      'sh',
      '-c',
      "trap '' TERM HUP INT; setsid sleep 1000.75 & echo up; while :; do sleep 1; done",
    ]);
    for await (const line of harness.lines) if (line === 'up') break;
    await harness.end();
    expect(listed()).toMatch(/ exited$/);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('1000.75');
  });

  it('F2: ends by itself after its host was killed', async () => {
    const client = await abandoned(['sh', '-c', 'setsid sleep 1000.5 & wait']);
    client.kill('SIGKILL');
    await expect.poll(() => listed(), { timeout: 20_000 }).toMatch(/ exited$/);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('1000.5');
  });

  it('tells the version of a program of the image, and that the image lacks one', async () => {
    expect(await containers.versionOf(testImage, 'node')).toEqual(ok(process.version.slice(1)));
    expect(await containers.versionOf(testImage, 'claude')).toEqual(ok(null));
  });

  it('says which image is missing', async () => {
    const container = { image: 'localhost/missing:9', memory: '', memoryReservation: '' };
    const command = {
      agentId: 'ada',
      argv: ['true'] as const,
      env: {},
      cwd: work,
      wall: { ...wall, container },
    };
    const started = await port.start(command);
    expect(started.ok ? '' : started.error).toMatchObject({ code: 'not_found' });
  });

  it('is removed with its agent', async () => {
    await sh('true');
    expect((await containers.remove('ada')).ok).toBe(true);
    expect(listed()).toBe('');
    expect((await containers.remove('ada')).ok).toBe(true);
  });
});
