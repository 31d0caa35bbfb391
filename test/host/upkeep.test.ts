import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { primerText } from '../../src/core/agents/primer.ts';
import { newHome, startHost, type TestHost } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let kennel: TestHost;

beforeEach(async () => {
  folder = newHome();
  kennel = await startHost(folder.home, { env: { KENNEL_PASSPHRASE: 'correct horse battery' } });
  await kennel.call('agents.create', { id: 'ada', register: false });
});
afterEach(async () => {
  await kennel.stop();
  folder.remove();
});

it('The primer can be reset; an edited version is kept as a copy', async () => {
  const first = await kennel.call('primer.reset', {});
  expect(first).toMatchObject({ changed: true, kept: '' });
  expect(readFileSync(first.path, 'utf8')).toBe(primerText);
  expect(await kennel.call('primer.reset', { agents: ['ada'] })).toMatchObject({ changed: false });
  writeFileSync(first.path, '# Mine\n');
  const { kept } = await kennel.call('primer.reset', { agents: ['ada'] });
  expect(readFileSync(kept, 'utf8')).toBe('# Mine\n');
  expect(path.dirname(kept)).toBe(path.dirname(first.path));
  writeFileSync(first.path, '# Mine\n');
  expect(await kennel.tryCall('primer.reset', { agents: ['nobody'] })).toMatchObject({
    error: { code: 'not_found' },
  });
  expect(readFileSync(first.path, 'utf8')).toBe('# Mine\n');
});

it('A login refresh is rejected if the agent has no login', async () => {
  const refresh = () => kennel.tryCall('agents.refreshLogin', { agent: 'ada' });
  expect(await refresh()).toMatchObject({
    error: { code: 'unsupported', said: { key: 'host.providerMissing', values: { id: 'ada' } } },
  });
  await kennel.call('agents.setRuntime', { agent: 'ada', kind: 'cli-docker' });
  expect(await refresh()).toMatchObject({
    error: {
      code: 'unsupported',
      message: expect.stringContaining('cli-docker') as string,
      said: { key: 'host.loginNotStored' },
    },
  });
});

it('The update check contacts no server unless one is configured', async () => {
  expect(await kennel.call('host.checkUpdate', {})).toMatchObject({ latest: null, newer: false });
  expect(existsSync(path.join(folder.home, 'daemon.yml'))).toBe(false);
});

it('Kind, provider and harness must fit together; a mismatch returns a hint', async () => {
  const set = (more: object) => kennel.tryCall('agents.setRuntime', { agent: 'ada', ...more });
  expect(await set({ kind: 'cli-docker', provider: 'google' })).toMatchObject({
    error: { code: 'invalid_input', hint: 'Give --harness gemini-cli, too.' },
  });
  expect((await kennel.call('agents.get', { agent: 'ada' })).runtime.kind).toBe('chat-local');
  expect(await set({ kind: 'cli-docker', provider: 'openai', harness: 'hermes' })).toMatchObject({
    ok: true,
  });
  expect(await set({ harness: 'claude-code' })).toMatchObject({ error: { code: 'invalid_input' } });
  expect(await set({ maxTurns: 5 })).toMatchObject({ ok: true });
  expect(await set({ kind: 'chat-local', provider: 'ollama' })).toMatchObject({ ok: true });
  expect(await set({ kind: 'sdk-local' })).toMatchObject({
    error: { message: expect.stringContaining('ollama') as string },
  });
  const made = { id: 'bea', register: false, kind: 'cli-local', provider: 'openai' } as const;
  await kennel.call('agents.create', made);
  expect((await kennel.call('agents.get', { agent: 'bea' })).runtime.harness).toBe('hermes');
  expect(await kennel.tryCall('agents.create', { ...made, id: 'eve', harness: 'claude-code' })).toMatchObject(
    {
      error: { code: 'invalid_input' },
    },
  );
});
