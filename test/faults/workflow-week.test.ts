import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { startHost, type TestHost } from '../host/host-rig.ts';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';

const weekMs = 7 * 86_400_000;

let desk: Desk;
let later: TestHost | null = null;
beforeAll(async () => {
  desk = await Desk.open();
});
afterAll(async () => {
  await later?.stop();
  await desk.remove();
});

const text = `
name: release
steps:
  - id: build
    run: echo build >> done.txt; echo built
  - id: both
    parallel:
      branches:
        - id: left
          run: echo left >> done.txt
        - id: right
          run: echo right >> done.txt
  - id: ask
    approval:
      prompt: Release what was $build.stdout?
      remind: 1d
  - id: ship
    run: echo ship >> done.txt
`;

const slow = `
name: slow
steps:
  - id: once
    run: echo began >> slow.txt; sleep 30
  - id: after
    run: echo after >> slow.txt
`;

/** Opens the same folder a week later, by shifting the wall clock of the host. */
async function aWeekLater(home: string): Promise<TestHost> {
  const real = createSystemClock();
  const clock = { ...real, now: () => real.now() + weekMs, monotonic: () => real.monotonic() };
  return startHost(home, { clock });
}

it('A run killed while waiting is approved from the tray a week later and runs each step once (F1, F8, F23)', async () => {
  const door = await desk.start();
  await door.call('setup.tryDemo', {});
  const run = await door.call('runs.start', { text });
  const steps = await door.call('runs.start', { text: slow });
  const file = (name: string): string => {
    const at = path.join(desk.home, 'workflows', name);
    return existsSync(at) ? readFileSync(at, 'utf8') : '';
  };
  const asked = await until('the question', async () => {
    const { approvals } = await door.call('approvals.list', { kind: 'workflow' });
    return approvals.find(({ gate }) => gate?.runId === run.id);
  });
  await until('the slow step to begin', () => file('slow.txt').includes('began'));
  await desk.end('SIGKILL');

  later = await aWeekLater(desk.home);
  const kennel = later;
  const waiting = await until('both questions', async () => {
    const { approvals } = await kennel.call('approvals.list', { kind: 'workflow' });
    return approvals.length === 2 ? approvals : undefined;
  });
  const same = waiting.find(({ id }) => id === asked.id);
  expect(same).toMatchObject({ digest: asked.digest, state: 'waiting', createdAt: asked.createdAt });
  await until('the reminder', async () => {
    const { approval } = await kennel.call('approvals.get', { id: asked.id });
    return approval.remindedAt !== undefined;
  });
  const allow = { type: 'allow', scope: 'once' } as const;
  const { id, digest } = asked;
  const decided = await kennel.call('approvals.decide', { id, digest, surface: 'tray', answer: allow });
  expect(decided.receipt).not.toBeNull();
  const second = await kennel.tryCall('approvals.decide', { id, digest, surface: 'window', answer: allow });
  expect(second).toMatchObject({ error: { code: 'conflict' } });
  await until('its end', async () => (await kennel.call('runs.get', { run: run.id })).run.status === 'ok');
  expect(file('done.txt').trim().split('\n').sort()).toEqual(['build', 'left', 'right', 'ship']);
  const log = await kennel.call('runs.log', { run: run.id, limit: 1_000 });
  expect(log.verified).toBe(true);
  expect(await kennel.call('receipts.verify', { id })).toMatchObject({ ok: true });

  // The result of the killed step is unknown: the operator answers `done`, and it is not repeated.
  const uncertain = waiting.find(({ gate }) => gate?.runId === steps.id);
  expect(uncertain?.gate?.kind).toBe('uncertain');
  const settle = { type: 'settle', how: 'done' } as const;
  await kennel.call('approvals.decide', {
    id: uncertain?.id ?? '',
    digest: uncertain?.digest ?? '',
    surface: 'window',
    answer: settle,
  });
  await until('its end', async () => (await kennel.call('runs.get', { run: steps.id })).run.status === 'ok');
  expect(file('slow.txt').trim().split('\n')).toEqual(['began', 'after']);
}, 90_000);
