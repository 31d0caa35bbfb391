import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { methods } from '../../src/contract/methods.ts';
import { settingsMethods } from '../../src/contract/settings-methods.ts';
import { englishText } from '../../src/language/host-message.ts';
import { newHome, startHost, type TestHost } from './host-rig.ts';

let place: ReturnType<typeof newHome>;
let kennel: TestHost;

beforeEach(async () => {
  place = newHome();
  kennel = await startHost(path.join(place.home, 'data'), { env: { KENNEL_PASSPHRASE: 'correct horse' } });
});
afterEach(async () => {
  await kennel.stop();
  place.remove();
});

const file = () => path.join(place.home, 'data', 'daemon.yml');

it('The policy is saved in daemon.yml without losing other content of the file', async () => {
  expect(await kennel.call('policy.get', {})).toMatchObject({ mode: null, rules: [], approvalHours: 24 });
  writeFileSync(file(), '# mine\ndefault_provider: openai\npolicy:\n  approval_hours: 2\n');
  const rules = [{ action: 'deny' as const, pattern: 'bash_exec(rm *)' }];
  await kennel.call('policy.set', { rules, mode: 'unattended' });
  expect(await kennel.call('policy.get', {})).toMatchObject({ mode: 'unattended', rules, approvalHours: 2 });
  expect(readFileSync(file(), 'utf8')).toContain('# mine');
  await kennel.call('policy.set', { rules: [], mode: null });
  expect(await kennel.call('policy.get', {})).toMatchObject({ mode: null, rules: [], problem: '' });
  writeFileSync(file(), 'policy: [\n');
  expect(englishText((await kennel.call('policy.get', {})).problem)).toContain('daemon.yml');
  expect(await kennel.tryCall('policy.set', { mode: 'ask' })).toMatchObject({ ok: false });
});

it('The relay status lists connected people and agents of the embedded relay', async () => {
  expect(await kennel.call('relay.status', {})).toMatchObject({ embedded: false, url: null, people: [] });
  await kennel.call('setup.tryDemo', {});
  const status = await kennel.call('relay.status', {});
  expect(status).toMatchObject({ embedded: true, url: expect.stringMatching(/^http:\/\/127/) });
  expect(status.people.map(({ displayName, agent }) => [displayName, agent])).toEqual(
    expect.arrayContaining([
      ['Guide', true],
      ['You', false],
    ]),
  );
  expect(status.bytes).toBeGreaterThan(1000);
});

it('A backup without a path is created inside the data folder', async () => {
  await kennel.call('agents.create', { id: 'ada', register: false });
  const made = await kennel.call('backup.makeHere', {});
  expect(path.dirname(made.path)).toBe(place.home);
  expect(path.basename(made.path)).toMatch(/^kennel-backup-\d{8}-\d{6}$/);
  expect(existsSync(path.join(made.path, 'data/agents/ada/agent.yml'))).toBe(true);
});

it('The pairing window can be closed; nobody can pair afterwards (T3)', async () => {
  writeFileSync(file(), 'bridge:\n  port: 0\n');
  await kennel.call('bridge.openPairing', {});
  expect(await kennel.call('bridge.status', {})).toMatchObject({ window: { device: null } });
  await kennel.call('bridge.closePairing', {});
  expect(await kennel.call('bridge.status', {})).toMatchObject({ window: null, url: null, paired: null });
});

it('The settings methods are forbidden to agents and paired devices (T8, T22)', async () => {
  for (const method of Object.keys(settingsMethods) as (keyof typeof settingsMethods)[]) {
    expect(methods[method].callers).toEqual(['owner-ui', 'owner-cli']);
    for (const kind of ['agent', 'paired-device'] as const)
      expect(await kennel.host.call({ kind }, method, { id: 'ap' })).toMatchObject({
        error: { code: 'forbidden' },
      });
  }
});
