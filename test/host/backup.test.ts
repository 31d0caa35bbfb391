import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restoreHome } from '../../src/host/backup/restore-home.ts';
import { contents } from '../fakes/puffo-home.ts';
import { answerTo, newHome, startHost, type TestHost } from './host-rig.ts';

let place: ReturnType<typeof newHome>;
let home: string;
let backup: string;
const hosts: TestHost[] = [];

async function start(): Promise<TestHost> {
  const kennel = await startHost(home, { env: { KENNEL_PASSPHRASE: 'correct horse battery' } });
  hosts.push(kennel);
  return kennel;
}

beforeEach(() => {
  place = newHome();
  home = path.join(place.home, 'data');
  backup = path.join(place.home, 'backup');
});
afterEach(async () => {
  for (const one of hosts.splice(0)) await one.stop();
  place.remove();
});

it('A restored backup contains the state at the time of the backup, made while the host ran', async () => {
  const kennel = await start();
  await kennel.call('setup.tryDemo', {});
  const guide = await kennel.call('agents.get', { agent: 'guide' });
  const first = await kennel.call('chat.send', { to: 'guide', text: 'before the backup' });
  await answerTo(kennel, first.roomId, first.messageId);
  const made = await kennel.call('backup.make', { path: backup });
  expect(made.files).toBeGreaterThan(10);
  expect(Object.keys(contents(backup)).filter((name) => name.includes('.lock'))).toEqual([]);
  const second = await kennel.call('chat.send', { to: 'guide', text: 'after the backup' });
  await answerTo(kennel, second.roomId, second.messageId);
  await kennel.call('agents.delete', { agent: 'checker' });
  expect(await restoreHome(backup, home, Date.now())).toMatchObject({ ok: false, error: { code: 'held' } });
  await kennel.stop();
  const restored = await restoreHome(backup, home, Date.now());
  if (!restored.ok) throw new Error(restored.error.message);
  expect(existsSync(path.join(String(restored.value.aside), 'agents/guide'))).toBe(true);
  const again = await start();
  const { messages } = await again.call('chat.history', { room: `dm:${guide.slug}`, limit: 200 });
  const texts = messages.map(({ text }) => text).join('\n');
  expect(texts).toContain('before the backup');
  expect(texts).not.toContain('after the backup');
  expect((await again.call('agents.list', {})).agents.map(({ id }) => id)).toContain('checker');
  const third = await again.call('chat.send', { to: 'guide', text: 'once more' });
  await answerTo(again, third.roomId, third.messageId);
}, 120_000);

it('A backup omits runtime files, does not follow symlinks and is readable by the owner only', async () => {
  const kennel = await start();
  await kennel.call('agents.create', { id: 'ada', register: false });
  symlinkSync('/etc/passwd', path.join(home, 'agents/ada/workspace/link'));
  await kennel.call('backup.make', { path: backup });
  const names = Object.keys(contents(backup)).join('\n');
  expect(names).not.toMatch(/host[.](lock|json|sock)|logs/);
  expect(names).toContain('data/agents/ada/agent.yml');
  expect(names).not.toContain('workspace/link');
  expect(statSync(backup).mode & 0o077).toBe(0);
  expect(await kennel.tryCall('backup.make', { path: backup })).toMatchObject({
    error: { code: 'conflict' },
  });
  expect(await kennel.tryCall('backup.make', { path: path.join(home, 'b') })).toMatchObject({
    error: { code: 'invalid_input' },
  });
});

it('A restore rejects a damaged, foreign or newer backup and leaves the folder unchanged (F24, F26)', async () => {
  const kennel = await start();
  await kennel.call('agents.create', { id: 'ada', register: false });
  await kennel.call('backup.make', { path: backup });
  await kennel.stop();
  const before = contents(home);
  const file = path.join(backup, 'data/agents/ada/profile.md');
  const text = readFileSync(file, 'utf8');
  const tried = () => restoreHome(backup, home, Date.now());
  writeFileSync(file, text.replace('ada', 'eve'));
  expect(await tried()).toMatchObject({ error: { code: 'corrupt' } });
  rmSync(file);
  expect(await tried()).toMatchObject({ error: { code: 'corrupt' } });
  writeFileSync(file, text);
  const manifest = path.join(backup, 'manifest.json');
  const good = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, good.replace('"agents/ada/profile.md"', '"../../ada/profile.md"'));
  expect(await tried()).toMatchObject({ error: { code: 'invalid_input' } });
  writeFileSync(manifest, good.replace('"kennel_backup":1', '"kennel_backup":2'));
  expect(await tried()).toMatchObject({ error: { code: 'unsupported' } });
  mkdirSync(path.join(place.home, 'empty'));
  expect(await restoreHome(path.join(place.home, 'empty'), home, Date.now())).toMatchObject({
    error: { code: 'invalid_input' },
  });
  expect(contents(home)).toEqual(before);
  writeFileSync(manifest, good);
  rmSync(home, { recursive: true });
  expect(await tried()).toMatchObject({ ok: true, value: { aside: null } });
  expect(readFileSync(path.join(home, 'agents/ada/profile.md'), 'utf8')).toBe(text);
});
