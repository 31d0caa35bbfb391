import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerTo, newHome, startHost, type TestHost, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let kennel: TestHost;

beforeEach(async () => {
  folder = newHome();
});
afterEach(async () => {
  await kennel.stop();
  folder.remove();
});

const statusFile = (id: string): string => path.join(folder.home, 'agents', id, 'runtime.json');

function statusOf(id: string, file = statusFile(id)): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

it('runtime.json reports the status of each agent, and is not rewritten while nothing changes', async () => {
  writeFileSync(path.join(folder.home, 'daemon.yml'), 'runtime_heartbeat_seconds: 1\n');
  kennel = await startHost(folder.home);
  const began = Math.floor(Date.now() / 1000);
  await kennel.call('setup.tryDemo', {});
  const up = await until('guide to be up', () => {
    const now = statusOf('guide');
    return now?.health === 'ok' ? now : undefined;
  });
  expect(Object.keys(up)).toEqual([
    'status',
    'started_at',
    'updated_at',
    'msg_count',
    'last_event_at',
    'error',
    'health',
  ]);
  expect(up).toMatchObject({ status: 'running', error: '' });
  expect(up.started_at).toBeGreaterThanOrEqual(began);
  expect(statSync(statusFile('guide')).mode & 0o077).toBe(0);

  const before = Number(up.msg_count);
  const sent = await kennel.call('chat.send', { to: 'guide', text: 'echo counted' });
  await answerTo(kennel, sent.roomId, sent.messageId);
  await until('the count', () => Number(statusOf('guide')?.msg_count) > before);
  expect(statusOf('guide')?.last_event_at).toBeGreaterThanOrEqual(began);

  await kennel.call('agents.pause', { agent: 'guide' });
  await until('the pause', () => statusOf('guide')?.status === 'stopped');
  const { ino, mtimeMs } = statSync(statusFile('checker'));
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(statSync(statusFile('checker'))).toMatchObject({ ino, mtimeMs });

  const { path: moved } = await kennel.call('agents.archive', { agent: 'checker' });
  expect(statusOf('checker', path.join(moved, 'runtime.json'))?.status).toBe('stopped');
  await kennel.call('agents.resume', { agent: 'guide' });
  await until('guide to be back', () => statusOf('guide')?.status === 'running');
  await kennel.stop();
  expect(statusOf('guide')).toMatchObject({ status: 'stopped', health: 'unknown' });
  expect(Number(statusOf('guide')?.msg_count)).toBeGreaterThan(before);
}, 60_000);

it('runtime.json reports why an agent does not run, and keeps the error after the host stops', async () => {
  kennel = await startHost(folder.home);
  await kennel.call('setup.tryDemo', {});
  const file = path.join(folder.home, 'agents', 'guide', 'agent.yml');
  const settings = readFileSync(file, 'utf8');
  const changed = settings
    .replace(/^ {2}kind: .*$/m, '  kind: cli-local')
    .replace(/^ {2}harness: .*$/m, '  harness: bogus');
  writeFileSync(file, changed);
  const failed = await until('the error', () => {
    const now = statusOf('guide');
    return now?.status === 'error' ? now : undefined;
  });
  expect(failed.error).toContain('bogus');
  await kennel.stop();
  expect(statusOf('guide')).toMatchObject({ status: 'stopped', error: failed.error });
}, 60_000);
