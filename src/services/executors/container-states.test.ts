import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fail } from '../../contract/fail.ts';
import { err, ok } from '../../contract/result.ts';
import type { ContainerEngine } from './container-engine.ts';
import { readyEngine } from './container-engine.ts';
import { type ContainerWall, createHarnessContainers } from './harness-container.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-states-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wall: ContainerWall = {
  readable: [],
  writable: [folder],
  hidden: [],
  network: 'none',
  model: null,
  container: { image: 'localhost/a:1', memory: '1g', memoryReservation: '', hosts: [] },
};
const command = { agentId: 'ada', argv: ['pi'] as const, env: { TOKEN: 'secret' }, cwd: folder, wall };

/** An engine whose container is in this state, or that refuses from the given verb on. */
function engineIn(state: string | null, refuses: string | null = null, printed = '') {
  const calls: string[][] = [];
  let digest = '';
  const engine: ContainerEngine = {
    name: 'docker',
    program: '/usr/bin/docker',
    env: {},
    isRootless: false,
    async run(args) {
      calls.push([...args]);
      const [verb = '', second = ''] = args;
      const refused = err(
        fail('unavailable', 'container.engineRefused', { engine: 'docker', verb, why: 'no daemon' }),
      );
      if (refuses === 'everything' || verb === refuses || `${verb} ${second}` === refuses) return refused;
      if (verb === 'image') return ok('sha256:1');
      if (verb === 'run') return ok(printed);
      if (verb === 'create') {
        digest = args.find((word) => word.startsWith('--label=kennel.settings='))?.split('=')[2] ?? '';
        return ok('id');
      }
      if (verb !== 'container') return ok('');
      if (state === null) return refused;
      const labels = { 'kennel.settings': digest };
      return ok(JSON.stringify([{ State: { Status: state }, Config: { Labels: labels } }]));
    },
  };
  const containers = createHarnessContainers({ engine: async () => ok(engine), folder, home: folder });
  const prepare = async () => {
    const prepared = await containers.prepare(command, wall, 'harness:x:1:');
    if (prepared.ok) await prepared.value.stop();
    return prepared;
  };
  const version = () => containers.versionOf('localhost/a:1', 'pi');
  return { calls, prepare, version, verbs: () => calls.map(([verb = '']) => verb) };
}

describe('Container in each state', () => {
  it.each([
    ['created', 'start'],
    ['configured', 'start'],
    ['initialized', 'start'],
    ['exited', 'start'],
    ['stopped', 'start'],
    ['running', 'stop'],
    ['paused', 'unpause stop'],
    ['dead', 'replace'],
    ['removing', 'replace'],
    ['restarting', 'replace'],
    [null, 'create'],
  ] as const)('F15: %s leads to: %s', async (state, way) => {
    const { prepare, calls, verbs } = engineIn(state);
    // The first start creates it, so that the second one finds its own settings.
    await prepare();
    calls.length = 0;
    const prepared = await prepare();
    expect(prepared.ok && prepared.value.argv.slice(1, 4)).toEqual(['start', '--attach', '--interactive']);
    const made = verbs().slice(0, -1);
    const before = { start: [], stop: ['stop'], 'unpause stop': ['unpause', 'stop'] };
    const expected = {
      ...before,
      replace: ['rm', 'create'],
      create: ['create'],
    }[way];
    expect(made.filter((verb) => !['image', 'container'].includes(verb))).toEqual(expected);
  });

  it('F15: other settings replace it', async () => {
    const { prepare, verbs } = engineIn('exited');
    await prepare();
    expect(verbs()).toContain('rm');
  });

  it.each([
    ['image', 'not_found'],
    ['create', 'unavailable'],
    // It has stopped, so nothing is known of the image.
    ['everything', 'unavailable'],
  ])('F15: an engine that refuses "%s" is an error, and the next start tries again', async (verb, code) => {
    const { prepare } = engineIn(null, verb);
    for (let time = 0; time < 2; time += 1) {
      const prepared = await prepare();
      expect(prepared.ok ? '' : prepared.error.code).toBe(code);
    }
  });

  it('T13: every container is created without rights, network or the socket of the engine', async () => {
    const { prepare, calls } = engineIn(null);
    await prepare();
    const created = calls.find(([verb]) => verb === 'create') ?? [];
    for (const word of [
      '--network=none',
      '--read-only',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
      '--pids-limit=512',
      '--memory=1g',
    ])
      expect(created).toContain(word);
    expect(created.some((word) => /^--cpus=[12]$/.test(word))).toBe(true);
    expect(created.some((word) => /^--user=\d+:\d+$/.test(word))).toBe(true);
    const text = created.join(' ');
    expect(text).not.toMatch(/--privileged|--cap-add|docker\.sock|podman\.sock|--pid=|--ipc=|secret/);
    const mounts = created.filter((word) => word.startsWith('--mount='));
    expect(mounts.map((word) => /target=([^,]+)/.exec(word)?.[1])).toEqual([folder, '/run/kennel']);
    expect(mounts[1]).toContain('readonly');
  });

  it('F15: a start waits until what an earlier host left is stopped, which could be its own container', async () => {
    const order: string[] = [];
    let answer = (): void => undefined;
    const listed = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const engine: ContainerEngine = {
      name: 'podman',
      program: '/usr/bin/podman',
      env: {},
      isRootless: false,
      async run([verb = '']) {
        if (verb === 'ps') await listed;
        if (verb === 'stop' || verb === 'create') order.push(verb);
        return ok(verb === 'ps' ? `${name} ada` : '');
      },
    };
    let name = '';
    const containers = createHarnessContainers({ engine: async () => ok(engine), folder, home: folder });
    const first = await containers.prepare(command, wall, 'harness:x:1:');
    if (first.ok) {
      name = first.value.name;
      await first.value.stop();
    }
    order.length = 0;
    const tidied = containers.tidy(() => true);
    const prepared = containers.prepare(command, wall, 'harness:x:2:');
    answer();
    const [second] = await Promise.all([prepared, tidied]);
    // The container is made after the stop, and its files are still there.
    expect(order).toEqual(['stop', 'create']);
    expect(existsSync(join(folder, name))).toBe(true);
    if (second.ok) await second.value.stop();
  });

  it('says what an engine lacks', () => {
    const found = (state: 'noPermission' | 'notRunning' | 'failed') => {
      const engine = {
        name: 'docker' as const,
        program: '',
        env: {},
        isRootless: false,
        run: async () => ok(''),
      };
      const ready = readyEngine([{ engine, state, why: 'why' }]);
      return ready.ok ? '' : ready.error.said?.key;
    };
    expect(['noPermission', 'notRunning', 'failed'].map((state) => found(state as 'failed'))).toEqual([
      'container.noPermission',
      'container.notRunning',
      'container.engineFailed',
    ]);
    const none = readyEngine([]);
    expect(none.ok ? '' : none.error.said?.key).toBe('container.noEngine');
  });

  it.each([
    ['pi 0.87.1', '0.87.1'],
    ['v24.1.0-rc.1', '24.1.0-rc.1'],
    ['1.2.3\x1b[2J\x1b]0;owned\x07', '1.2.3'],
    ['no version', ''],
  ])('T18: takes only a plain version from what an image prints: %j', async (printed, version) => {
    expect(await engineIn(null, null, printed).version()).toEqual(ok(version));
  });

  it('T25: reads a long output of an image in a short time', async () => {
    expect(await engineIn(null, null, '1'.repeat(1_000_000)).version()).toEqual(ok(''));
  });

  it('F15: removes the container of an image that does not tell its version', async () => {
    const { calls, version } = engineIn(null, 'run');
    expect(await version()).toEqual(ok(null));
    const asked = calls.find(([verb]) => verb === 'run') ?? [];
    const name = asked.find((word) => word.startsWith('--name='))?.slice('--name='.length);
    expect(name).toMatch(/^kennel-version-/);
    expect(calls.at(-1)).toEqual(['rm', '--force', '--volumes', name]);
    // A host that was killed leaves it to the next one.
    expect(asked.some((word) => word.startsWith('--label=kennel.home='))).toBe(true);
  });

  it('T13: gives an image that tells its version no more than a container of an agent', async () => {
    const { calls, version } = engineIn(null, null, '1.0');
    await version();
    const asked = calls.find(([verb]) => verb === 'run') ?? [];
    for (const word of [
      '--network=none',
      '--read-only',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges',
    ])
      expect(asked).toContain(word);
    for (const pattern of [/^--user=\d+:\d+$/, /^--pids-limit=\d+$/, /^--memory=/])
      expect(asked.some((word) => pattern.test(word))).toBe(true);
  });
});
