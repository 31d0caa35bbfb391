import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ContainerRig, createContainerRig, testImage } from '../../../test/fakes/container-rig.ts';
import { type EscapeGround, escapeScript, escapesIn, plantEscapes } from '../../../test/fakes/escapes.ts';
import { onLinux } from '../../../test/fakes/programs.ts';
import { ok } from '../../contract/result.ts';
import type { HarnessRecord, HarnessWall } from '../../core/runtimes/harness-ports.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { buildImage, hasImage, importImage } from './container-images.ts';
import { createHarnessContainers } from './harness-container.ts';
import { createHarnessProcesses } from './harness-process.ts';

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-container-')));
const at = (...names: string[]): string => join(parent, ...names);
const work = at('home/agents/ada/work');
const own = at('home/agents/ada/harness');
for (const folder of [work, own]) mkdirSync(folder, { recursive: true });

const relay = createServer((_request, response) => response.end('from the relay'));
let rig: ContainerRig;
let ground: EscapeGround;
const records: HarnessRecord[] = [];

const containers = createHarnessContainers({
  engine: async () => ok(rig.engine),
  folder: at('home/run'),
  home: at('home'),
});
const port = createHarnessProcesses({
  clock: createSystemClock(),
  random: createSystemRandom(),
  ledger: {
    add(record) {
      records.push(record);
      return ok(undefined);
    },
    settle: () => undefined,
  },
  hidden: [at('home')],
  containers,
});

const image = { image: testImage, memory: '256m', memoryReservation: '', hosts: [] };
const wall: HarnessWall = {
  readable: [],
  writable: [work, own],
  hidden: [],
  network: 'none',
  model: { url: 'http://127.0.0.1:47113', socketPath: at('home/relay.sock') },
  data: async (method, target) => ({ status: 200, json: { read: `${method} ${target}` } }),
  container: image,
};

const start = async (argv: readonly [string, ...string[]], change: Partial<HarnessWall> = {}) => {
  const env = { PATH: '/not/inside', HOME: own, TOKEN: 'token-of-the-process' };
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
const up = async (harness: Awaited<ReturnType<typeof start>>): Promise<void> => {
  for await (const line of harness.lines) if (line === 'up') return;
};

const engine = (...args: string[]): string =>
  execFileSync(rig.engine.program, args, { env: rig.engine.env, encoding: 'utf8' }).trim();
/** Name, id and state of every container, in one text. */
function listed(): string {
  const ids = engine('ps', '--all', '--quiet').split('\n').filter(Boolean);
  return ids.length === 0
    ? ''
    : engine('container', 'inspect', '--format', '{{.Name}} {{.Id}} {{.State.Status}}', ...ids);
}
const processList = (): string => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });

/** Starts a container as a host does that cannot stop it any more. */
async function abandoned(argv: readonly [string, ...string[]]): Promise<ChildProcess> {
  const lost = createHarnessContainers({
    engine: async () => ok(rig.engine),
    folder: at('home/run'),
    home: at('home'),
  });
  const command = { agentId: 'ada', argv, env: {}, cwd: work, wall };
  const prepared = await lost.prepare(command, { ...wall, container: image }, 'harness:test:1:');
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.error));
  const {
    argv: [program, ...args],
    env,
  } = prepared.value;
  const client = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'] });
  client.stdin.write('\n');
  await expect.poll(() => listed(), { timeout: 20_000 }).toMatch(/ running$/);
  return client;
}

describe.skipIf(!onLinux)('Container of an agent', () => {
  beforeAll(async () => {
    rig = await createContainerRig();
    ground = await plantEscapes(at('home'), at('outside'));
    await new Promise<void>((resolve) => relay.listen(at('home/relay.sock'), resolve));
  }, 120_000);
  afterAll(async () => {
    await port.close();
    relay.close();
    await ground.close();
    rig.remove();
    rmSync(parent, { recursive: true, force: true });
  });

  it('lets the program work in its folders, ask its model, and read its messages by one socket', async () => {
    const asked = await sh(`pwd; echo x > made; echo y > "$HOME/state"; cat made "$HOME/state"
      wget -qO- http://127.0.0.1:47113/v1/messages; echo
      wget -qO- "$PUFFO_DATA_SERVICE_URL/v1/data/ada/messages/recent?channel=c"; echo
      ls /run/kennel; exit 7`);
    const lines = [
      work,
      'x',
      'y',
      'from the relay',
      '{"read":"GET /v1/data/ada/messages/recent?channel=c"}',
      'kennel.sock',
      'launch.js',
      'start.json',
    ];
    expect(asked).toMatchObject({ out: lines.join('\n'), exit: { code: 7 } });
    expect(readFileSync(join(work, 'made'), 'utf8')).toBe('x\n');
    expect(records.at(-1)).toMatchObject({ agentId: 'ada', program: 'sh', hasWall: true });
    expect(records.at(-1)?.container).toMatch(/^kennel-ada-[0-9a-f]{8}$/);
  });

  it('T13, T14, T18: 60 attempts to leave the container fail', async () => {
    writeFileSync(join(work, 'escapes.js'), escapeScript(ground, 'all'));
    const { out, err } = await run(['node', 'escapes.js']);
    const { tried, succeeded } = escapesIn(out);
    expect(succeeded, err).toEqual([]);
    expect(tried).toBe(60);
    expect(ground.datagrams()).toBe(0);
    // The attempts mean something: without a container they find what they look for.
    const argv = ['-e', escapeScript(ground, 'reading')];
    const free = await promisify(execFile)(process.execPath, argv, { cwd: work });
    expect(escapesIn(free.stdout).succeeded.length).toBeGreaterThanOrEqual(20);
  });

  it('T13, T18: has no capabilities, and its settings and arguments hold no secret', async () => {
    const { out } = await sh('cat /proc/self/status; env');
    expect(out).toMatch(/CapEff:\s+0000000000000000/);
    expect(out).toMatch(/NoNewPrivs:\s+1/);
    // The environment of the process has it, and nothing that the engine shows.
    expect(out).toContain('token-of-the-process');
    expect(engine('inspect', listed().split(' ')[0] ?? '')).not.toContain('token-of-the-process');
  });

  it('is kept: stopped after its program, used again, and a second one only while it is in use', async () => {
    const harness = await start(['sh', '-c', 'read first; echo "read $first"; echo up; cat']);
    harness.write('one');
    await up(harness);
    const running = listed();
    expect(running).toMatch(/^kennel-ada-[0-9a-f]{8} [0-9a-f]+ running$/);
    const pid = await containers.pidOf(running.split(' ')[0] ?? '');
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toMatch(/init|catatonit/);
    expect((await sh('echo beside')).out).toBe('beside');
    expect(listed().split('\n')).toHaveLength(2);
    await harness.end();
    expect(listed()).toContain(running.replace('running', 'exited'));
    // Nothing of a start stays, as its file holds the token.
    expect(existsSync(at('home/run', running.split(' ')[0] ?? ''))).toBe(false);
    await containers.tidy(() => false);
    expect(listed()).toBe('');
  });

  it('F15: is made again when its settings change, after it was removed, and used again after a pause', async () => {
    const client = await abandoned(['sleep', '1000.5']);
    const first = listed();
    const name = first.split(' ')[0] ?? '';
    engine('pause', name);
    expect(await containers.stateOf('ada')).toBe('paused');
    expect((await sh('echo again')).out).toBe('again');
    expect(listed()).toBe(first.replace('running', 'exited'));
    client.kill('SIGKILL');
    expect((await sh('echo other', { container: { ...image, memory: '300m' } })).out).toBe('other');
    const second = listed();
    expect(second).not.toContain(first.split(' ')[1]);
    engine('rm', name);
    expect((await sh('echo again')).out).toBe('again');
  });

  it('F2: the host hears of a killed container, and starts it again', async () => {
    const harness = await start(['sh', '-c', 'echo up; exec sleep 1000.25']);
    await up(harness);
    engine('kill', records.at(-1)?.container ?? '');
    expect((await harness.exited).wasEnded).toBe(false);
    expect((await sh('echo again')).out).toBe('again');
  });

  it('F2: a program that ignores its end, and its children, are gone after the end', async () => {
    const harness = await start([
      'sh',
      '-c',
      "trap '' TERM HUP INT; setsid sleep 1000.75 & echo up; while :; do sleep 1; done",
    ]);
    await up(harness);
    await harness.end();
    expect(listed()).toMatch(/ exited$/);
    expect(processList()).not.toContain('1000.75');
  });

  it('F2: ends by itself after its host was killed, or is stopped by the next host', async () => {
    const client = await abandoned(['sh', '-c', 'setsid sleep 1000.5 & wait']);
    client.kill('SIGKILL');
    await expect.poll(() => listed(), { timeout: 20_000 }).toMatch(/ exited$/);
    expect(processList()).not.toContain('1000.5');
    const next = await abandoned(['sleep', '1000.125']);
    await containers.tidy((id) => id === 'ada');
    expect(listed()).toMatch(/ exited$/);
    expect(processList()).not.toContain('1000.125');
    next.kill('SIGKILL');
  });

  it('tells the version of a program of the image, and which program or image is missing', async () => {
    expect(await containers.versionOf(testImage, 'node')).toEqual(ok(process.version.slice(1)));
    expect(await containers.versionOf(testImage, 'claude')).toEqual(ok(null));
    const missing = await containers.versionOf('localhost/missing:9', 'node');
    expect(missing.ok ? '' : missing.error).toMatchObject({
      code: 'not_found',
      said: { key: 'container.imageMissing' },
    });
  });

  it('builds an image by a recipe, and reads one from a file', async () => {
    const pieces: string[] = [];
    const follower = {
      signal: new AbortController().signal,
      onOutput: (text: string) => void pieces.push(text),
    };
    const recipe = `FROM ${testImage}\nENV MADE=yes\n`;
    const built = await buildImage(
      rig.engine,
      { image: 'localhost/built:1', recipe, folder: at('home/run') },
      follower,
    );
    expect(built.ok ? 'built' : built.error).toBe('built');
    expect(pieces.join('')).toContain('STEP');
    expect(await hasImage(rig.engine, 'localhost/built:1')).toBe(true);
    execFileSync('tar', ['-cf', at('root.tar'), '-C', at('outside'), 'secret.txt']);
    const read = await importImage(rig.engine, { file: at('root.tar'), image: 'localhost/read:1' }, follower);
    expect(read.ok ? 'read' : read.error).toBe('read');
    expect(await hasImage(rig.engine, 'localhost/read:1')).toBe(true);
    expect(await hasImage(rig.engine, 'localhost/other:1')).toBe(false);
  });

  it('is removed with its agent', async () => {
    await sh('true');
    expect((await containers.remove('ada')).ok).toBe(true);
    expect(listed()).toBe('');
    expect((await containers.remove('ada')).ok).toBe(true);
  });
});
