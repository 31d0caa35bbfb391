import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { needs, onLinux } from '../fakes/programs.ts';
import { Conversation, seen, until } from './invariants.ts';
import { doorOf, type KennelProcess, kill, startKennel } from './kennel-process.ts';
import { newFolder, removeFolder } from './places.ts';

/** A bus without service activation: only services that the test starts exist. */
const busConfig = (folder: string): string => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir=${folder}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

describe.skipIf(!onLinux)('Keychain faults (F16, T20)', () => {
  beforeAll(() => needs('dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'));
  const folder = newFolder();
  const home = path.join(folder, 'kennel');
  const run = path.join(folder, 'run');
  const session: Record<string, string> = { HOME: folder, XDG_RUNTIME_DIR: run };
  const talk = new Conversation();
  let bus: ChildProcess;
  let keyring: ChildProcess | null = null;
  let kennel: KennelProcess | null = null;

  const env = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, ...session });

  /** A keyring opened with the password of its first start is unlocked; without a password it is locked. */
  async function startKeyring(password: string | null): Promise<void> {
    const how = password === null ? [] : ['--unlock'];
    const args = ['--foreground', '--components=secrets', ...how];
    keyring = spawn('gnome-keyring-daemon', args, { env: env(), stdio: ['pipe', 'ignore', 'ignore'] });
    keyring.stdin?.end(password ?? '');
    await until('the keyring on the bus', ownsSecrets);
  }
  function ownsSecrets(): boolean {
    const ask = ['--session', '--print-reply=literal', '--dest=org.freedesktop.DBus', '/'];
    const question = ['org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'];
    return execFileSync('dbus-send', [...ask, ...question], { env: env(), encoding: 'utf8' }).includes(
      'true',
    );
  }
  async function stopKeyring(): Promise<void> {
    if (!keyring || keyring.exitCode !== null || keyring.signalCode !== null) return;
    const gone = once(keyring, 'exit');
    keyring.kill('SIGKILL');
    await gone;
    keyring = null;
  }
  async function startHost() {
    kennel = startKennel(home, ['--demo', '--no-web'], { env: session });
    return doorOf(home, kennel);
  }

  beforeAll(async () => {
    mkdirSync(run, { mode: 0o700 });
    const config = path.join(folder, 'bus.conf');
    writeFileSync(config, busConfig(run));
    const args = [`--config-file=${config}`, '--nofork', '--print-address=1'];
    bus = spawn('dbus-daemon', args, { env: env(), stdio: ['ignore', 'pipe', 'ignore'] });
    const [address] = (await once(bus.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    session.DBUS_SESSION_BUS_ADDRESS = String(address).trim();
    await startKeyring('testpw');
    const door = await startHost();
    await door.call('setup.tryDemo', {});
    await talk.say(door);
    await talk.holds(door);
    expect(await door.call('host.view', {})).toMatchObject({ vault: { kind: 'keychain' } });
    if (kennel) await kill(kennel, 'SIGTERM');
    await stopKeyring();
  });
  afterEach(async () => {
    if (kennel) await kill(kennel, 'SIGTERM');
    await stopKeyring();
    expect(existsSync(path.join(home, 'master.key')), 'I5: no key in a file').toBe(false);
  });
  afterAll(async () => {
    bus.kill('SIGKILL');
    await once(bus, 'exit');
    removeFolder(folder);
  });

  const wellAgain = async (door: Awaited<ReturnType<typeof startHost>>): Promise<void> => {
    await until(
      'the host to be ready',
      async () => (await door.call('host.view', {})).state === 'ready',
      45_000,
    );
    await talk.say(door);
    await talk.holds(door);
    const view = await door.call('host.view', {});
    expect(view).toMatchObject({ vault: { kind: 'keychain' }, problems: [] });
  };

  it('a keychain that disappears while keys are loaded does not interrupt agents', async () => {
    await startKeyring('testpw');
    const door = await startHost();
    await wellAgain(door);
    await stopKeyring();
    await wellAgain(door);
  });

  it('a keychain that hangs is awaited with a notice and without a weaker fallback', async () => {
    await startKeyring('testpw');
    keyring?.kill('SIGSTOP');
    const door = await startHost();
    await seen('the notice', async () =>
      (await door.call('host.view', {})).problems.some(({ message }) => /keychain/.test(message)),
    );
    expect((await door.call('host.view', {})).relay.url).toBeNull();
    keyring?.kill('SIGCONT');
    await wellAgain(door);
  });

  it.each(['gone', 'locked'])(
    'a keychain that is %s keeps the host locked, with a notice, until it is back',
    async (how) => {
      if (how === 'locked') await startKeyring(null);
      const door = await startHost();
      const view = await seen('the locked host', async () => {
        const now = await door.call('host.view', {});
        return now.state === 'locked' && now;
      });
      expect(view.problems.find(({ id }) => id === 'vault')?.message).toMatch(/keychain/);
      const refused = await door.tryCall('agents.setRuntime', {
        agent: 'guide',
        apiKey: 'sk-canary-0123456789',
      });
      expect(refused.ok).toBe(false);
      await stopKeyring();
      await startKeyring('testpw');
      await wellAgain(door);
    },
  );
});
