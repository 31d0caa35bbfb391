/** A relay and a host with an operator and two agents, in separate processes with a proxy between them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Door } from './door.ts';
import { checkAtRest, until } from './invariants.ts';
import { doorOf, type KennelProcess, kill, type Launch, spawnKennel } from './kennel-process.ts';
import { newFolder, removeFolder } from './places.ts';
import { startProxy, type WeatherProxy } from './proxy.ts';

export const passphrase = 'correct horse battery staple';

export interface Team {
  readonly home: string;
  readonly proxy: WeatherProxy;
  door(): Door;
  host(): KennelProcess;
  /** Stops the host (once it runs) and starts it with `launch`. */
  restart(launch: Launch): Promise<void>;
  stopRelay(): Promise<void>;
  startRelay(): Promise<void>;
  /** Whether both agents and the operator have that connection state. */
  everybody(connection: 'online' | 'offline'): Promise<boolean>;
  /** Stops everything, then checks the files at rest. */
  stop(): Promise<void>;
}

async function listening(relay: KennelProcess): Promise<string> {
  return until('the relay', () => /http:\/\/127\.0\.0\.1:\d+/.exec(relay.output())?.[0]);
}

export async function startTeam(): Promise<Team> {
  const folder = newFolder();
  const home = path.join(folder, 'home');
  const data = path.join(folder, 'relay');
  let relay = spawnKennel(folder, ['relay', '--data', data, '--listen', '127.0.0.1:0']);
  const relayUrl = await listening(relay);
  const proxy = await startProxy(relayUrl);
  let host: KennelProcess | null = null;
  let door: Door | null = null;

  const restart = async (launch: Launch): Promise<void> => {
    door?.close();
    if (host) await kill(host, 'SIGTERM');
    const env = { KENNEL_PASSPHRASE: passphrase, ...launch.env };
    host = spawnKennel(home, ['start', '--no-demo', '--no-web'], { ...launch, env });
    door = await doorOf(home, host);
  };
  const theDoor = (): Door => {
    if (!door) throw new Error('the host does not run');
    return door;
  };
  const everybody: Team['everybody'] = async (connection) => {
    const view = await theDoor().call('host.view', {});
    const { agents } = await theDoor().call('agents.list', {});
    const states = [view.operator?.connection, ...agents.map((agent) => agent.connection)];
    return connection === 'online'
      ? states.every((state) => state === 'online')
      : states.every((state) => state !== 'online');
  };
  const team: Team = {
    home,
    proxy,
    door: theDoor,
    host: () => host as KennelProcess,
    restart,
    stopRelay: () => kill(relay, 'SIGTERM'),
    async startRelay() {
      relay = spawnKennel(folder, ['relay', '--data', data, '--listen', new URL(relayUrl).host]);
      await listening(relay);
    },
    everybody,
    async stop() {
      door?.close();
      if (host) await kill(host, 'SIGTERM');
      await kill(relay, 'SIGTERM');
      await proxy.stop();
      await checkAtRest(home, { passphrase });
      removeFolder(folder);
    },
  };
  // Teams run in parallel, and the bridge has a single fixed port.
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'daemon.yml'), 'bridge:\n  enabled: false\n');
  await restart({});
  const inviteCode = invite(folder, data);
  await theDoor().call('setup.signUp', { serverUrl: proxy.url, inviteCode, username: 'olga' });
  for (const id of ['guide', 'checker']) await theDoor().call('agents.create', { id, provider: 'scripted' });
  await until('everybody', () => everybody('online'));
  return team;
}

function invite(folder: string, data: string): string {
  const entry = path.join(import.meta.dirname, '../../dist/cli/kennel.js');
  const args = [entry, 'relay', 'invite', '--data', data];
  const env = { ...process.env, KENNEL_HOME: folder };
  return execFileSync(process.execPath, args, { env, encoding: 'utf8' }).split('\n')[0] ?? '';
}
