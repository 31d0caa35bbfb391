import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { openRelayStore } from '../../src/services/db/relay-store.ts';
import { until } from './host-rig.ts';
import { IdentityTown, operatorOnline, problem } from './identity-rig.ts';

/** The smallest valid PNG. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const avatar = { base64: png, contentType: 'image/png' };

let town: IdentityTown;
beforeEach(async () => {
  town = new IdentityTown();
  await town.openRelay();
});
afterEach(() => town.end());

function atServer(slug: string) {
  const store = openRelayStore(path.join(town.dataDir, 'relay.db'), { exclusive: false });
  try {
    return store.people.identity(slug);
  } finally {
    store.close();
  }
}

describe('Operator name and picture', () => {
  it('are published to the server and shown locally at once', async () => {
    const ada = await town.resident('ada');
    expect(await ada.call('profile.own', {})).toMatchObject({ slug: ada.slug, picture: '', untold: false });
    expect(await ada.call('profile.editOwn', { displayName: ' Ada Lovelace ', avatar })).toEqual({
      warning: '',
    });
    expect(atServer(ada.slug)).toMatchObject({
      displayName: 'Ada Lovelace',
      avatarUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/blobs\/[\w-]+$/),
    });
    expect(await ada.call('profile.own', {})).toMatchObject({
      displayName: 'Ada Lovelace',
      picture: `data:image/png;base64,${png}`,
      untold: false,
    });
    expect((await ada.call('host.view', {})).operator?.displayName).toBe('Ada Lovelace');
  }, 60_000);

  it('are kept over a restart while the server is down, and published when it is back', async () => {
    const home = town.newHome();
    const ada = await town.resident('ada', home);
    await town.closeRelay();
    await until(
      'it to notice',
      async () => (await ada.call('host.view', {})).operator?.connection !== 'online',
    );
    const edited = await ada.call('profile.editOwn', { displayName: 'Countess', avatar });
    expect(englishText(edited.warning)).toContain('once you are connected');
    expect(await ada.call('profile.own', {})).toMatchObject({ displayName: 'Countess', untold: true });
    expect(await problem(ada, 'profile-@operator')).toMatchObject({ severity: 'warning' });
    await ada.stop();

    await town.openRelay();
    const again = await town.host(home);
    await operatorOnline(again);
    await until('the server to know', async () => !(await again.call('profile.own', {})).untold);
    expect(atServer(ada.slug)).toMatchObject({ displayName: 'Countess' });
    expect(await problem(again, 'profile-@operator')).toBeUndefined();
    for (const name of ['pending-profile.json', 'pending-picture.json'])
      expect(existsSync(path.join(home, 'operator', name))).toBe(false);
  }, 120_000);

  it('are rejected if invalid, and nothing changes', async () => {
    const ada = await town.resident('ada');
    const before = await ada.call('profile.own', {});
    await expect(ada.call('profile.editOwn', { displayName: '  ' })).rejects.toThrow('The name is empty.');
    await expect(ada.call('profile.editOwn', { displayName: 'x'.repeat(61) })).rejects.toThrow('60');
    const text = { base64: Buffer.from('<svg/>').toString('base64'), contentType: 'image/png' };
    await expect(ada.call('profile.editOwn', { avatar: text })).rejects.toThrow('not a picture');
    expect(await ada.call('profile.own', {})).toEqual(before);
  }, 60_000);
});
