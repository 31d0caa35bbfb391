/** A real relay on loopback in a temporary folder, and real accounts on it with in-memory stores. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppError } from '../../src/contract/errors.ts';
import type { Connection } from '../../src/contract/model.ts';
import type { Result } from '../../src/contract/result.ts';
import type { ChannelId, SpaceId } from '../../src/contract/room-id.ts';
import type { Clock, CryptoEngine } from '../../src/core/ports.ts';
import type { AccountStore } from '../../src/core/puffo/account-store.ts';
import type { Identity, Session } from '../../src/core/puffo/identity.ts';
import { newEnvelopeId } from '../../src/core/puffo/ids.ts';
import type { RegistryStore } from '../../src/core/puffo/registry-store.ts';
import type { OutboxDraft, StoredMessage } from '../../src/core/puffo/stored-message.ts';
import type { OutgoingFiles } from '../../src/core/tools/chat-files.ts';
import { englishText } from '../../src/language/host-message.ts';
import { createRelay, type Relay, type RelayOptions } from '../../src/relay/relay.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { openRelayStore } from '../../src/services/db/relay-store.ts';
import { createAccount } from '../../src/services/puffo/account.ts';
import { createAccountSession } from '../../src/services/puffo/account-session.ts';
import type { Account, AccountEvents, AccountPorts, Invite } from '../../src/services/puffo/account-types.ts';
import { createServerDirectory, type ServerDirectory } from '../../src/services/puffo/directory.ts';
import { registerAgent, signUp } from '../../src/services/puffo/registration.ts';
import { createSignedRequests } from '../../src/services/puffo/signed-requests.ts';
import { createMemoryAccountStore } from './memory-account-store.ts';
import { createMemoryRegistryStore } from './memory-registry-store.ts';
import { patienceMs } from './patience.ts';
import { createRecordingLog } from './recording-log.ts';
import { testCrypto } from './test-crypto.ts';

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** Polls until `look` returns a truthy value; throws an error that names `what` after `limitMs`. */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | false,
  limitMs = patienceMs,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`did not happen in ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface TestAccount {
  readonly account: Account;
  readonly identity: Identity;
  readonly store: AccountStore;
  readonly accepted: StoredMessage[];
  readonly refused: string[];
  readonly held: { readonly envelopeId: string; readonly senderSlug: string }[];
  readonly settled: { readonly id: string; readonly state: string; readonly error: string | null }[];
  readonly uploads: (readonly [id: string, index: number, sentBytes: number])[];
  readonly states: { readonly state: Connection; readonly detail: AppError | null }[];
  readonly invites: Invite[];
  readonly frames: Readonly<Record<string, unknown>>[];
  readonly logged: ReturnType<typeof createRecordingLog>;
  session: Session | null;
  online(): Promise<void>;
  say(
    to: { readonly dm: string } | { readonly spaceId: string; readonly channelId: string },
    text: string,
    createdAt?: number,
  ): string;
}

/** Waits until the account has read every frame that the server has sent so far, by one more frame. */
export async function framesRead(
  server: { send(frame: unknown): void },
  account: Pick<TestAccount, 'frames'>,
): Promise<void> {
  const before = account.frames.length;
  server.send({ type: 'processing' });
  await until('the frames were read', () => account.frames.length > before);
}

export interface AccountOptions {
  readonly directory?: ServerDirectory;
  readonly store?: AccountStore;
  readonly clock?: Clock;
  readonly crypto?: CryptoEngine;
  readonly watchRooms?: boolean;
  readonly session?: Session | null;
  readonly files?: OutgoingFiles;
}

export interface Rig {
  readonly relay: Relay;
  readonly clock: Clock;
  readonly crypto: CryptoEngine;
  readonly directory: ServerDirectory;
  directoryFor(url: string, store?: RegistryStore): ServerDirectory;
  person(username: string): Promise<Identity>;
  agent(operator: TestAccount, username: string): Promise<Identity>;
  open(identity: Identity, options?: AccountOptions): TestAccount;
  stopRelay(): Promise<void>;
  startRelay(): Promise<void>;
  stop(): Promise<void>;
}

export const nothing = (): void => undefined;

/** An account that records all its reports; not started. */
export function recordedAccount(
  identity: Identity,
  { directory, ...given }: { readonly directory: ServerDirectory } & Omit<AccountPorts, 'log'>,
  options: AccountOptions = {},
): TestAccount {
  const store = options.store ?? createMemoryAccountStore(identity.slug);
  const logged = createRecordingLog();
  const ports = { ...given, log: logged };
  const test: Omit<TestAccount, 'account'> & { account?: Account } = {
    identity,
    store,
    logged,
    accepted: [],
    refused: [],
    held: [],
    settled: [],
    uploads: [],
    states: [],
    invites: [],
    frames: [],
    session: options.session ?? null,
    online: async () => {
      await until(`${identity.slug} online`, () => test.account?.connection().state === 'online');
    },
    say: (to, text, createdAt = ports.clock.now()) => {
      const envelopeId = newEnvelopeId(ports.random);
      const dm = 'dm' in to;
      const draft: OutboxDraft = {
        envelopeId,
        kind: dm ? 'dm' : 'channel',
        spaceId: dm ? null : (to.spaceId as SpaceId),
        channelId: dm ? null : (to.channelId as ChannelId),
        recipientSlug: dm ? to.dm : null,
        threadRootId: null,
        contentType: 'text/plain',
        content: text,
        visible: true,
        createdAt,
      };
      store.enqueue(draft, identity.slug);
      test.account?.kickOutbox();
      return envelopeId;
    },
  };
  const sessions = {
    load: () => test.session,
    save: (session: Session) => {
      test.session = session;
    },
  };
  const events: AccountEvents = {
    onConnection: (state, detail) => test.states.push({ state, detail }),
    onAccepted: (messages) => test.accepted.push(...messages),
    onOutbox: (id, state, error) => test.settled.push({ id, state, error: error && englishText(error) }),
    onUpload: (...progress) => test.uploads.push(progress),
    onRefused: (reason) => test.refused.push(reason),
    onRooms: nothing,
    onProcessing: (frame) => test.frames.push(frame),
    onHeld: (message) => test.held.push(message),
    onInvites: (waiting) =>
      test.invites.push(
        ...waiting.filter((one) => !test.invites.some((known) => known.eventId === one.eventId)),
      ),
  };
  const { requests } = directory;
  test.account = createAccount({
    session: createAccountSession({ identity, sessions, requests, ...ports }),
    directory,
    store,
    ports,
    use: { events, decide: () => ({ react: true, reason: 'dm', priority: 1 }) },
    options: { watchRooms: options.watchRooms ?? false, ...(options.files && { files: options.files }) },
  });
  return test as TestAccount;
}

export async function createRig(limits: RelayOptions['limits'] = {}): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-puffo-'));
  const clock = createSystemClock();
  const random = createSystemRandom();
  const crypto = testCrypto;
  const log = createRecordingLog();
  let port = 0;
  const startRelay = async (): Promise<Relay> =>
    must(
      await createRelay(
        { store: openRelayStore(join(folder, 'relay.db')), crypto, clock, random, log },
        { listen: { host: '127.0.0.1', port }, limits: limits ?? {} },
      ),
    );
  let relay = await startRelay();
  port = relay.port;
  const accounts: Account[] = [];
  const directories: ServerDirectory[] = [];
  const directoryFor = (serverUrl: string, registryStore = createMemoryRegistryStore()): ServerDirectory => {
    const made = createServerDirectory({ serverUrl, registryStore, crypto, clock, log });
    directories.push(made);
    return made;
  };
  const directory = directoryFor(relay.url);
  return {
    get relay() {
      return relay;
    },
    clock,
    crypto,
    directory,
    directoryFor,
    person: async (username) =>
      must(await signUp({ serverUrl: relay.url, inviteCode: relay.createInvite(), username, crypto, clock })),
    agent: async (operator, username) =>
      must(
        await registerAgent({
          operatorAccount: operator.account,
          operatorIdentity: operator.identity,
          username,
          crypto,
          clock,
        }),
      ),
    open(identity, options = {}) {
      const shared = options.directory ?? directory;
      const own = { crypto: options.crypto ?? crypto, clock: options.clock ?? clock };
      const deps = {
        // An account with a clock of its own signs by it.
        directory: { ...shared, requests: createSignedRequests({ ...shared, ...own }) },
        ...own,
        random,
      };
      const opened = recordedAccount(identity, deps, options);
      accounts.push(opened.account);
      opened.account.start();
      return opened;
    },
    stopRelay: () => relay.stop(),
    startRelay: async () => {
      relay = await startRelay();
    },
    async stop() {
      await Promise.all(accounts.map((account) => account.stop()));
      for (const one of directories) one.stop();
      await relay.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
