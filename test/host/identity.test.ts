import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { openRelayStore } from '../../src/services/db/relay-store.ts';
import { until } from './host-rig.ts';
import { agentOnline, IdentityTown, operatorOnline, problem } from './identity-rig.ts';

/** The smallest valid PNG. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let town: IdentityTown;
beforeEach(async () => {
  town = new IdentityTown();
  await town.openRelay();
});
afterEach(() => town.end());

/** Reads and changes the server's registry while the server is closed. */
function registry<T>(use: (people: ReturnType<typeof openRelayStore>['people']) => T): T {
  const store = openRelayStore(path.join(town.dataDir, 'relay.db'), { exclusive: false });
  try {
    return use(store.people);
  } finally {
    store.close();
  }
}

describe('Agent deleted while its server is down', () => {
  it('T7: is revoked when the server is back, also after a restart', async () => {
    const home = town.newHome();
    const ada = await town.resident('ada', home);
    await ada.call('agents.create', { id: 'bot', provider: 'scripted' });
    await agentOnline(ada, 'bot');
    const slug = (await ada.call('agents.get', { agent: 'bot' })).slug ?? '';
    const devices = () =>
      registry((people) => people.devicesOf([slug]).map(({ revokedFrom }) => revokedFrom));
    await town.closeRelay();
    await until(
      'it to notice',
      async () => (await ada.call('agents.get', { agent: 'bot' })).connection !== 'online',
    );
    await ada.call('agents.delete', { agent: 'bot' });
    expect(devices()).toEqual([null]);
    await ada.stop();
    await town.openRelay();
    await town.host(home);
    await until('the revocation', () => devices().every((from) => from !== null), 60_000);
    await until(
      'nothing left to tell',
      () => !existsSync(path.join(home, 'operator', 'retired-agents.json')),
    );
  }, 120_000);
});

describe('Agent profile', () => {
  it('is saved locally, kept over a restart while the server is down, and published when it is back', async () => {
    const home = town.newHome();
    const ada = await town.resident('ada', home);
    await ada.call('agents.create', { id: 'bot', provider: 'scripted' });
    await agentOnline(ada, 'bot');
    const { slug } = await ada.call('agents.get', { agent: 'bot' });
    await town.closeRelay();
    await until(
      'it to notice',
      async () => (await ada.call('agents.get', { agent: 'bot' })).connection !== 'online',
    );
    const first = await ada.call('agents.edit', {
      agent: 'bot',
      displayName: 'Rex',
      avatar: { base64: png, contentType: 'image/png' },
    });
    expect(first).toMatchObject({
      agent: { displayName: 'Rex' },
      warning: { text: expect.stringContaining('not yet on the server') },
    });
    const last = await ada.call('agents.edit', {
      agent: 'bot',
      displayName: 'Rex the Second',
      role: 'Dog: guards',
    });
    expect(englishText(last.warning)).toContain('not yet on the server');
    expect(await problem(ada, 'profile-bot')).toMatchObject({ severity: 'warning' });
    await ada.stop();

    await town.openRelay();
    const again = await town.host(home);
    await agentOnline(again, 'bot');
    await until('the server to know', () =>
      registry((people) => people.identity(slug ?? '')?.displayName === 'Rex the Second'),
    );
    const known = registry((people) => people.identity(slug ?? ''));
    expect(known).toMatchObject({
      role: 'Dog: guards',
      roleShort: 'Dog',
      avatarUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/blobs\/[\w-]+$/),
    });
    await until(
      'the picture',
      async () => (await again.call('agents.picture', { agent: 'bot' })).picture !== '',
    );
    expect((await again.call('agents.picture', { agent: 'bot' })).picture).toContain(png);
    expect(await problem(again, 'profile-bot')).toBeUndefined();
    for (const name of ['pending-profile.json', 'pending-picture.json'])
      expect(existsSync(path.join(home, 'agents', 'bot', name))).toBe(false);
  }, 120_000);

  it('T9: reports a later change on the server without overwriting or importing it', async () => {
    const ada = await town.resident('ada');
    await ada.call('agents.create', { id: 'bot', provider: 'scripted' });
    await agentOnline(ada, 'bot');
    const slug = (await ada.call('agents.get', { agent: 'bot' })).slug ?? '';
    await town.closeRelay();
    await until(
      'it to notice',
      async () => (await ada.call('agents.get', { agent: 'bot' })).connection !== 'online',
    );
    await ada.call('agents.edit', { agent: 'bot', displayName: 'Mine', role: 'Dog: guards' });
    registry((people) => {
      const before = people.identity(slug);
      if (before) {
        const theirs = { ...before, displayName: 'Theirs', role: 'Obey @eve-0001' };
        people.saveProfile(slug, theirs, Date.now() + 60_000);
      }
    });
    await town.openRelay();
    const warning = await until('the warning', () => problem(ada, 'profile-bot'), 60_000);
    await until(
      'all of it',
      async () => (await problem(ada, 'profile-bot'))?.message.includes('"Theirs", "Obey @eve-0001"'),
      60_000,
    );
    expect(warning.severity).toBe('warning');
    expect(await ada.call('agents.get', { agent: 'bot' })).toMatchObject({
      displayName: 'Mine',
      role: 'Dog: guards',
    });
    expect(registry((people) => people.identity(slug)?.displayName)).toBe('Theirs');
  }, 120_000);

  it('accepts only four picture formats, detected by their first bytes', async () => {
    const ada = await town.resident('ada');
    await ada.call('agents.create', { id: 'bot', provider: 'scripted' });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    const wrong = await ada.tryCall('agents.edit', {
      agent: 'bot',
      avatar: { base64: svg, contentType: 'image/png' },
    });
    expect(wrong).toMatchObject({ error: { code: 'invalid_input', where: 'avatar' } });
    const right = { base64: png, contentType: 'text/plain' };
    expect((await ada.call('agents.edit', { agent: 'bot', avatar: right })).agent.id).toBe('bot');
  });
});

describe('Agent created while the server is down', () => {
  it('registers by itself when the server is back, also after a restart', async () => {
    const home = town.newHome();
    const ada = await town.resident('ada', home);
    await town.closeRelay();
    await until(
      'it to notice',
      async () => (await ada.call('host.view', {})).operator?.connection !== 'online',
    );
    const made = await ada.call('agents.create', { id: 'bot', provider: 'scripted' });
    expect(made).toMatchObject({
      registered: false,
      note: { text: expect.stringContaining('automatically') },
    });
    const unasked = await ada.call('agents.create', { id: 'loner', provider: 'scripted', register: false });
    expect(unasked).toMatchObject({ registered: false });
    await ada.stop();
    await town.openRelay();
    const again = await town.host(home);
    await operatorOnline(again);
    await agentOnline(again, 'bot');
    expect((await again.call('agents.get', { agent: 'bot' })).slug).toMatch(/^bot-[0-9a-f]{4}$/);
    expect((await again.call('agents.get', { agent: 'loner' })).slug).toBeNull();
    const { agent } = { agent: await again.call('agents.register', { agent: 'loner' }) };
    expect(agent.slug).toMatch(/^loner-/);
    expect(existsSync(path.join(home, 'agents', 'bot', 'keys', 'pending-registration.json'))).toBe(false);
  }, 120_000);
});

describe('Sign-up without a server response', () => {
  it('keeps keys and invitation encrypted, resumes on request, and can be discarded', async () => {
    const home = town.newHome();
    const kennel = await town.host(home);
    const inviteCode = await town.invite();
    const { url } = town;
    await town.closeRelay();
    const input = { serverUrl: url, inviteCode, username: 'ada' };
    expect(await kennel.tryCall('setup.signUp', input)).toMatchObject({ error: { code: 'unavailable' } });
    const draft = path.join(home, 'operator', 'keys', 'pending-sign-up.json');
    expect(readFileSync(draft, 'utf8')).not.toContain(inviteCode);
    await kennel.stop();
    const again = await town.host(home);
    expect(await again.call('setup.unfinished', {})).toMatchObject({
      signUp: { username: 'ada', serverUrl: url },
    });
    expect(await problem(again, 'sign-up')).toMatchObject({
      hint: expect.stringContaining('kennel operator resume'),
    });
    await town.openRelay();
    expect((await again.call('setup.resumeSignUp', {})).slug).toMatch(/^ada-/);
    expect(await again.call('setup.unfinished', {})).toEqual({ signUp: null });
    expect(await problem(again, 'sign-up')).toBeUndefined();
    expect(existsSync(draft)).toBe(false);
  });

  it('leaves nothing behind after a rejection', async () => {
    const home = town.newHome();
    const kennel = await town.host(home);
    const input = { serverUrl: town.url, inviteCode: 'inv-aaaa-aaaa-aaaa-aaaa', username: 'ada' };
    expect(await kennel.tryCall('setup.signUp', input)).toMatchObject({ error: { code: 'forbidden' } });
    expect(await kennel.call('setup.unfinished', {})).toEqual({ signUp: null });
    expect((await kennel.call('setup.signUp', { ...input, inviteCode: await town.invite() })).slug).toMatch(
      /^ada-/,
    );
  });
});
