import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type ContainerRig, createContainerRig, testImage } from '../../../test/fakes/container-rig.ts';
import {
  confinementSuite,
  escapeSuite,
  executorSuite,
  openUnderTest,
} from '../../../test/fakes/executor-suite.ts';
import { needs, onLinux } from '../../../test/fakes/programs.ts';
import { proof } from '../../../test/fakes/test-run.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { executorOptionsSchema, type Violation } from '../../core/executors/executor-ports.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import type { ContainerEngine } from './container-engine.ts';
import { createExecutors } from './create-executors.ts';
import { createProcessPort } from './process.ts';

const noEngine: Result<ContainerEngine> = err(
  fail('unavailable', 'container.noEngine', {}, { help: 'container.installEngine' }),
);

function executorsWith(engine: Result<ContainerEngine> = noEngine, mayRunPlain = true) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-sessions-')));
  mkdirSync(join(folder, 'run'));
  const executors = createExecutors({
    process: createProcessPort({ clock: createSystemClock() }),
    engine: async () => engine,
    places: { folder: join(folder, 'run'), owner: folder, env: { PATH: process.env.PATH, HOME: folder } },
    image: testImage,
    mayRunPlain,
  });
  return { executors, close: () => rmSync(folder, { recursive: true, force: true }) };
}

const plain = async () => {
  const { executors, close } = executorsWith();
  return { executor: executors.subprocess, close };
};
const sandbox = async () => {
  needs('bwrap', 'socat');
  const { executors, close } = executorsWith();
  return { executor: executors.sandbox, close };
};
const gvisor = async () => {
  const { executors, close } = executorsWith();
  return { executor: executors.gvisor, close };
};
let rig: ContainerRig | null = null;
const container = async () => {
  needs('podman', 'runc', 'catatonit', 'busybox');
  rig ??= await createContainerRig();
  const { executors, close } = executorsWith(ok(rig.engine));
  return { executor: executors.container, options: { image: testImage }, close };
};
afterAll(() => rig?.remove());

executorSuite('subprocess', plain);
describe.skipIf(!onLinux)('on Linux', () => {
  executorSuite('sandbox', sandbox);
  confinementSuite('sandbox', sandbox);
  escapeSuite('sandbox', sandbox);

  it('asks about a domain while the command waits, once, and names it', async () => {
    const ground = await sandbox();
    const asked: Violation[] = [];
    const under = await openUnderTest(ground, {
      more: { denied_domains: ['*.denied.example'] },
      async ask(violation) {
        asked.push(violation);
        return false;
      },
    });
    const connect = (host: string): string =>
      `exec 3<>/dev/tcp/127.0.0.1/63380; printf 'CONNECT ${host}:443 HTTP/1.1\\r\\n\\r\\n' >&3; head -n 1 <&3`;
    const ran = await under.sh(connect('wanted.example'));
    expect(ran.out).toContain('403');
    expect(ran.violations).toEqual([{ kind: 'domain', target: 'wanted.example' }]);
    expect((await under.sh(connect('a.denied.example'))).violations).toHaveLength(1);
    expect(asked).toEqual([{ kind: 'domain', target: 'wanted.example' }]);
    await under.session.close();
    rmSync(under.outside, { recursive: true });
    ground.close();
  });
  // Debian's runsc needs half a second for each command.
  describe.skipIf(!proof || findProgram('runsc', pathFolders(process.env.PATH ?? '')) === null)(
    'proof',
    () => {
      executorSuite('gvisor', gvisor);
      confinementSuite('gvisor', gvisor);
      escapeSuite('gvisor', gvisor);
      escapeSuite('container', container);
    },
  );
  executorSuite('container', container);
  confinementSuite('container', container);
});

describe('an executor that does not work', () => {
  const request = { conversationId: 'c', workspace: tmpdir(), options: executorOptionsSchema().parse({}) };

  it('is refused, and no other one takes its place', async () => {
    const { executors, close } = executorsWith(noEngine, false);
    const opened = await executors.container.open(request);
    expect(opened).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(opened.ok ? '' : opened.error.hint).toBe('Install Docker or podman, and try again.');
    expect(await executors.subprocess.verify()).toMatchObject({ ok: false });
    expect(await executors.subprocess.open(request)).toMatchObject({ ok: false });
    close();
  });

  it('refuses a list of domains that it could not enforce', async () => {
    const { executors, close } = executorsWith();
    const options = executorOptionsSchema().parse({ allowed_domains: ['example.com'] });
    const opened = await executors.subprocess.open({ ...request, options });
    expect(opened).toMatchObject({ ok: false, error: { code: 'unsupported' } });
    close();
  });
});
