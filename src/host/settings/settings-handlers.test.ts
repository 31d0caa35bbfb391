import { expect, it } from 'vitest';
import { ok } from '../../contract/result.ts';
import type { DaemonSettings } from '../../services/config/daemon-settings.ts';
import { versionOf } from '../edit-version.ts';
import { createSettingsHandlers, type SettingsHandlerDeps } from './settings-handlers.ts';

it('Nothing is saved if the settings changed while storage for the key was opened', async () => {
  let model = 'before';
  const writes: string[] = [];
  const write = (what: string) => () => {
    writes.push(what);
    return ok(undefined);
  };
  const settings = {
    defaultProvider: () => 'openai',
    provider: (id: string) => ({ model: id === 'openai' ? model : '', baseUrl: '' }),
    setDefaultProvider: write('default'),
    setProvider: write('provider'),
  } as unknown as DaemonSettings;
  const secrets = {
    openForReal: async () => {
      model = 'changed elsewhere';
      return ok(undefined);
    },
    apiKeys: { setForProvider: write('key') },
  } as unknown as SettingsHandlerDeps['secrets'];
  const models = {} as SettingsHandlerDeps['models'];
  const handlers = createSettingsHandlers({
    settings,
    secrets,
    models,
    onChanged: () => undefined,
    onNotifications: () => undefined,
  });
  const version = versionOf({
    defaultProvider: 'openai',
    providers: { openai: { model: 'before', baseUrl: '' } },
  });
  const change = { defaultProvider: 'openai', provider: 'openai', model: 'mine', apiKey: 'sk-1', version };
  expect(await handlers['config.set'](change, { kind: 'owner-ui' })).toMatchObject({
    error: { code: 'conflict' },
  });
  expect(writes).toEqual([]);
});
