/** A relay for a team, and hosts that join it, each with a folder of its own. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { mintRelayInvite, startTeamRelay } from '../../src/host/relay/team-relay.ts';
import type { Relay } from '../../src/relay/relay.ts';
import { openDatabase } from '../../src/services/db/binding.ts';
import { newHome, startHost, type TestHost, until } from './host-rig.ts';

const env = { KENNEL_PASSPHRASE: 'correct horse' };

export class IdentityTown {
  readonly #folders: ReturnType<typeof newHome>[] = [];
  readonly #running = new Set<{ stop(): Promise<void> }>();
  readonly dataDir: string;
  relay: Relay | null = null;
  #port = 0;

  constructor() {
    const first = newHome();
    this.#folders.push(first);
    this.dataDir = path.join(first.home, 'relay-of-the-town');
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async openRelay(): Promise<void> {
    const relay = await startTeamRelay({
      dataDir: this.dataDir,
      listen: { host: '127.0.0.1', port: this.#port },
    });
    if (!relay.ok) throw new Error(relay.error.message);
    this.#port = relay.value.port;
    this.relay = relay.value;
  }

  async closeRelay(): Promise<void> {
    await this.relay?.stop();
    this.relay = null;
  }

  newHome(): string {
    const folder = newHome();
    this.#folders.push(folder);
    return folder.home;
  }

  async host(home: string): Promise<TestHost> {
    const kennel = await startHost(home, { env });
    this.#running.add(kennel);
    return {
      ...kennel,
      stop: async () => {
        this.#running.delete(kennel);
        await kennel.stop();
      },
    };
  }

  async invite(): Promise<string> {
    const invite = await mintRelayInvite(this.dataDir);
    if (!invite.ok) throw new Error(invite.error.message);
    return invite.value;
  }

  /** A host whose operator is signed up at the relay and online. */
  async resident(username: string, home = this.newHome()): Promise<TestHost & { readonly slug: string }> {
    const kennel = await this.host(home);
    const inviteCode = await this.invite();
    const { slug } = await kennel.call('setup.signUp', { serverUrl: this.url, inviteCode, username });
    await operatorOnline(kennel);
    return { ...kennel, slug };
  }

  /** For each message at the relay, the devices that it was sealed for. */
  sealedDevices(): readonly (readonly string[])[] {
    const db = openDatabase(path.join(this.dataDir, 'relay.db'));
    try {
      const rows = db.prepare('SELECT devices FROM messages ORDER BY seq').all();
      return rows.map(({ devices }) => JSON.parse(String(devices)) as string[]);
    } finally {
      db.close();
    }
  }

  async end(): Promise<void> {
    for (const each of this.#running) await each.stop();
    await this.closeRelay();
    for (const folder of this.#folders) folder.remove();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export const operatorOnline = (kennel: TestHost, ms = 45_000) =>
  until(
    'the operator to be online',
    async () => (await kennel.call('host.view', {})).operator?.connection === 'online',
    ms,
  );

export const agentOnline = (kennel: TestHost, agent: string, ms = 45_000) =>
  until(
    'the agent to be online',
    async () => (await kennel.call('agents.get', { agent })).connection === 'online',
    ms,
  );

export const problem = async (kennel: TestHost, id: string) =>
  (await kennel.call('host.view', {})).problems.find((one) => one.id === id);
