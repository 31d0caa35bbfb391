import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mintRelayInvite, startTeamRelay } from '../../src/host/relay/team-relay.ts';
import type { Relay } from '../../src/relay/relay.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import type { Door } from './door.ts';
import { Gatekeeper, type Stop } from './gatekeeper.ts';
import { until } from './invariants.ts';
import { doorOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';
import { newFolder, removeFolder } from './places.ts';

const passphrase = { env: { KENNEL_PASSPHRASE: 'correct horse' } };

let folder: string;
let home: string;
let dataDir: string;
let relay: Relay;
let gate: Gatekeeper;
let kennel: KennelProcess;
let door: Door;

const start = async (): Promise<void> => {
  kennel = startKennel(home, ['--no-demo', '--no-web'], passphrase);
  door = await doorOf(home, kennel);
};
const die = async (): Promise<void> => {
  door.close();
  await kill(kennel);
};

beforeEach(async () => {
  folder = newFolder();
  home = path.join(folder, 'home');
  dataDir = path.join(folder, 'relay');
  const opened = await startTeamRelay({ dataDir, listen: { host: '127.0.0.1', port: 0 } });
  if (!opened.ok) throw new Error(opened.error.message);
  relay = opened.value;
  gate = await new Gatekeeper(relay.url).listen();
  await start();
});
afterEach(async () => {
  await die();
  await gate.close();
  await relay.stop();
  removeFolder(folder);
});

const rows = (sql: string): readonly unknown[] => {
  const db = openDatabase(path.join(dataDir, 'relay.db'));
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
};
const invite = async (): Promise<string> => {
  const made = await mintRelayInvite(dataDir);
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
};
const signUp = (inviteCode: string) =>
  door.tryCall('setup.signUp', { serverUrl: gate.url, inviteCode, username: 'ada' });
const operator = async () => (await door.call('host.view', {})).operator;

const points = (first: string): readonly Stop[] =>
  [first, '/certs/slug_binding'].flatMap((at) => [
    { path: at, when: 'before' as const },
    { path: at, when: 'after' as const },
  ]);

describe('F1: A host killed', () => {
  it.each(points('/signup'))(
    'during sign-up ($path, $when) keeps identity and invitation and can resume',
    async (stop) => {
      const reached = gate.stopAt(stop);
      const lost = signUp(await invite());
      await reached;
      await die();
      await lost.catch(() => undefined);
      await start();
      if (stop.path === '/signup') {
        expect((await door.call('setup.unfinished', {})).signUp).toMatchObject({ username: 'ada' });
        await door.call('setup.resumeSignUp', {});
      }
      await until('the operator', async () => (await operator())?.connection === 'online');
      const slug = (await operator())?.slug;
      expect(rows('SELECT slug FROM identities')).toEqual([{ slug }]);
      expect(rows('SELECT used_by FROM invites')).toEqual([{ used_by: slug }]);
      expect((await door.call('setup.unfinished', {})).signUp).toBeNull();
    },
  );

  it.each(points('/agents'))(
    'during agent registration ($path, $when) completes it after the restart',
    async (stop) => {
      const signed = await signUp(await invite());
      expect(signed).toMatchObject({ ok: true });
      await until('the operator', async () => (await operator())?.connection === 'online');
      const reached = gate.stopAt(stop);
      const lost = door.tryCall('agents.create', { id: 'bot', provider: 'scripted' });
      await reached;
      await die();
      await lost.catch(() => undefined);
      await start();
      await until('the agent', async () => {
        const found = await door.tryCall('agents.get', { agent: 'bot' });
        return found.ok && found.value.connection === 'online';
      });
      const { slug, spaceId } = await door.call('agents.get', { agent: 'bot' });
      expect(rows("SELECT slug FROM identities WHERE identity_type = 'agent'")).toEqual([{ slug }]);
      await until('it to be at home', async () =>
        rows('SELECT space_id, slug FROM space_members').some(
          (row) => JSON.stringify(row) === JSON.stringify({ space_id: spaceId, slug }),
        ),
      );
    },
  );
});
