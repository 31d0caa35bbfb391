import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { escapeScript, escapesIn, plantEscapes } from '../../../test/fakes/escapes.ts';
import { needs, onLinux } from '../../../test/fakes/programs.ts';
import { ok } from '../../contract/result.ts';
import type { HarnessWall } from '../../core/runtimes/harness-ports.ts';
import { processStart } from '../../platform/process-tree.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { createHarnessProcesses } from './harness-process.ts';

if (onLinux) needs('bwrap');
const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-wall-')));
const at = (...names: string[]): string => join(parent, ...names);
const secret = 'TOP-SECRET';
for (const name of [
  'home/agents/ada/work',
  'home/agents/ada/harness',
  'home/agents/bob',
  'program',
  'user/.ssh',
])
  mkdirSync(at(name), { recursive: true });
for (const name of [
  'home/master.key',
  'home/agents/ada/keys.json',
  'home/agents/bob/notes',
  'user/.ssh/id',
  'in-tmp',
])
  writeFileSync(at(name), secret);
writeFileSync(at('program/run'), '#!/bin/sh\n');
symlinkSync(at('home/master.key'), at('home/agents/ada/work/link'));

const ledger = { add: () => ok(undefined), settle: () => undefined };
const port = createHarnessProcesses({
  clock: createSystemClock(),
  random: createSystemRandom(),
  ledger,
  hidden: [at('home')],
});
const hasWalls = await port.hasWalls();
if (!hasWalls) console.warn('bubblewrap is not usable here: the wall tests are skipped');

const relayed: string[] = [];
const relay = createServer((request, response) => {
  relayed.push(`${request.method} ${request.url}`);
  response.end('from the relay');
});
const hostSocket = createSocketServer((client) => client.end(secret));
const hostPort = createServer((_request, response) => response.end(secret));
relay.listen(at('home/relay.sock'));
hostSocket.listen(at('home/host.sock'));
await new Promise<void>((resolve) => hostPort.listen(0, '127.0.0.1', resolve));
const openPort = (hostPort.address() as AddressInfo).port;
afterAll(async () => {
  await port.close();
  for (const server of [relay, hostSocket, hostPort]) server.close();
  rmSync(parent, { recursive: true, force: true });
});

const work = at('home/agents/ada/work');
const wall: HarnessWall = {
  readable: [at('program'), process.execPath],
  writable: [work, at('home/agents/ada/harness')],
  hidden: [],
  network: 'none',
  // An odd port, because inside only the relay may answer.
  model: { url: 'http://127.0.0.1:47113', socketPath: at('home/relay.sock') },
};

async function run(argv: readonly [string, ...string[]], change: Partial<HarnessWall> = {}) {
  const env = { PATH: '/usr/bin:/bin', HOME: at('home/agents/ada/harness') };
  const started = await port.start({ agentId: 'ada', argv, env, cwd: work, wall: { ...wall, ...change } });
  if (!started.ok) throw new Error(started.error.message);
  const harness = started.value;
  harness.closeInput();
  const lines: string[] = [];
  for await (const line of harness.lines) lines.push(line);
  return { out: lines.join('\n'), err: harness.stderrTail(), exit: await harness.exited };
}
const sh = (script: string, change?: Partial<HarnessWall>) => run(['/bin/sh', '-c', script], change);
const node = (script: string) => run([process.execPath, '-e', script]);
const fetched = (url: string): string =>
  `fetch('${url}', { signal: AbortSignal.timeout(3000) }).then((r) => r.text()).then((t) => console.log(t), () => console.log('refused'))`;
const connected = (path: string): string =>
  `require('node:net').connect('${path}').on('data', (d) => console.log(String(d))).on('error', () => console.log('refused'))`;

describe.skipIf(!hasWalls)('Wall of an agent program', () => {
  it('F2: ends the program if its bridge to the model is killed', async () => {
    const bridge = `for one in /proc/[0-9]*; do
      tr '\\0' ' ' < $one/cmdline | grep -qE '^(socat|[^ ]*node -e)' && kill -9 "\${one#/proc/}"
    done; sleep 20; echo survived`;
    expect((await sh(bridge)).out).toBe('');
  });

  it('lets the program work in its folders and ask its model', async () => {
    const files = await sh('pwd; echo x > made; echo y > "$HOME/state"; cat made "$HOME/state"');
    expect(files).toMatchObject({ out: `${work}\nx\ny`, exit: { code: 0 } });
    expect(readFileSync(join(work, 'made'), 'utf8')).toBe('x\n');
    expect((await node(fetched('http://127.0.0.1:47113/v1/messages'))).out).toBe('from the relay');
    expect(relayed).toEqual(['GET /v1/messages']);
  });

  it('passes input, exit code and signals of the program on', async () => {
    expect((await sh('cat; exit 7')).exit).toMatchObject({ code: 7, signal: null });
    expect((await sh('kill -9 $$')).exit.code).toBe(137);
    expect((await sh('exit 3', { model: null })).exit.code).toBe(3);
  });

  it('T14, T18: 60 attempts to leave the wall fail', async () => {
    const ground = await plantEscapes(at('ground'), at('ground-outside'));
    const change = { writable: [ground.work], hidden: [at('ground/agents/ada/keys')] };
    writeFileSync(join(ground.work, 'escapes.js'), escapeScript(ground, 'all'));
    const started = await port.start({
      agentId: 'ada',
      argv: [process.execPath, 'escapes.js'],
      env: { PATH: '/usr/bin:/bin', HOME: ground.work },
      cwd: ground.work,
      wall: { ...wall, ...change },
    });
    if (!started.ok) throw new Error(started.error.message);
    const lines: string[] = [];
    for await (const line of started.value.lines) lines.push(line);
    const { tried, succeeded } = escapesIn(lines.join('\n'));
    expect(succeeded, started.value.stderrTail()).toEqual([]);
    expect(tried).toBe(60);
    expect(ground.datagrams()).toBe(0);
    await ground.close();
  });

  it.each([
    ['keys and stores of the data folder', `cat ${at('home/master.key')} ${at('home/agents/ada/keys.json')}`],
    ['the home of another agent', `cat ${at('home/agents/bob/notes')}; ls ${at('home/agents/bob')}`],
    ['files of the operator', `cat ${at('user/.ssh/id')}; ls -A /root /home/*`],
    ['a link out of the workspace', `cat ${work}/link`],
    ['temporary files of the computer', `cat ${at('in-tmp')}; ls /tmp`],
    ['passwords of the system', 'cat /etc/shadow && echo TOP-SECRET'],
    ['the root of another process', 'cat /proc/1/root/etc/shadow /proc/*/root/etc/shadow && echo TOP-SECRET'],
    ['the environment of the host', `tr '\\0' '\\n' < /proc/${process.pid}/environ && echo TOP-SECRET`],
    [
      'a mount of its own',
      `mount --bind / /tmp && cat ${at('in-tmp')}; mount -o remount,rw / && echo TOP-SECRET`,
    ],
  ])('T14, T18: shows nothing of %s', async (_what, script) => {
    expect((await sh(`(${script}) 2>&1`)).out).not.toContain(secret);
  });

  it('T14: changes nothing outside, not even its own program', async () => {
    const outside = [
      at('program/run'),
      at('program/new'),
      at('home/planted'),
      at('user/.bashrc'),
      '/usr/planted',
      '/etc/planted',
    ];
    const { out } = await sh(
      `for f in ${outside.join(' ')}; do (echo x >> $f) 2>/dev/null && echo wrote $f; done`,
    );
    // Folders of the sandbox itself are empty and belong to it.
    expect(outside.filter((path) => existsSync(path))).toEqual([at('program/run')]);
    expect(readFileSync(at('program/run'), 'utf8')).toBe('#!/bin/sh\n');
    expect(out).not.toContain(at('program'));
  });

  it('T18: reaches no socket of the host but that of its model', async () => {
    expect((await node(connected(at('home/host.sock')))).out).toBe('refused');
  });

  it.each([
    `http://127.0.0.1:${openPort}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://10.0.0.1/',
  ])('T18: reaches no other address: %s', async (url) => {
    expect((await node(fetched(url))).out).toBe('refused');
  });

  it('T14: can neither signal nor trace a process of the computer', async () => {
    const { out } = await sh(
      `kill -0 ${process.pid} 2>/dev/null && echo reached; ls -d /proc/${process.pid} 2>/dev/null; cat /proc/${process.pid}/mem 2>/dev/null`,
    );
    expect(out).toBe('');
  });

  it('T18: hides what the caller names, also in a writable folder', async () => {
    mkdirSync(join(work, '.git'), { recursive: true });
    writeFileSync(join(work, '.git/config'), secret);
    expect((await sh('ls -A .git', { hidden: [join(work, '.git')] })).out).toBe('');
  });

  it('F2: leaves no process after its end, also inside', async () => {
    const started = await port.start({
      agentId: 'ada',
      argv: ['/bin/sh', '-c', 'env -i setsid sleep 1000.25 & echo up; wait'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: work,
      wall,
    });
    if (!started.ok) throw new Error(started.error.message);
    for await (const line of started.value.lines) if (line === 'up') break;
    await started.value.end();
    expect(processStart(started.value.pid)).toBe('');
    expect(runningSleeps()).toEqual([]);
  });
});

/** Processes of the computer that run the sleep above. */
function runningSleeps(): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('1000.25');
    } catch {
      return false;
    }
  });
}
