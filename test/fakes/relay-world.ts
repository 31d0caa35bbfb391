/**
 * A real relay on loopback over a real store, and people who speak the protocol directly. Requests, events
 * and frames are signed here instead of by the product's client, so that tests can also send invalid ones.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { type ChannelId, isChannelId, type SpaceId } from '../../src/contract/room-id.ts';
import { utf8 } from '../../src/core/lib/bytes.ts';
import type { Clock, CryptoEngine } from '../../src/core/ports.ts';
import { createAttestation, createSlugBinding } from '../../src/core/puffo/certificates.ts';
import { sealMessage } from '../../src/core/puffo/envelope.ts';
import { signEvent } from '../../src/core/puffo/events.ts';
import { signRequest } from '../../src/core/puffo/http-signing.ts';
import {
  createIdentity,
  createSession,
  type NewIdentity,
  type Session,
} from '../../src/core/puffo/identity.ts';
import { newEnvelopeId, newSpaceId } from '../../src/core/puffo/ids.ts';
import { foldRegistry, type VerifiedIdentity } from '../../src/core/puffo/registry.ts';
import type { RegistryEntry } from '../../src/core/puffo/registry-store.ts';
import type { MessageEnvelope, SignedEvent } from '../../src/core/puffo/wire.ts';
import { signConnect } from '../../src/core/puffo/ws-connect.ts';
import type { RelayLimits } from '../../src/relay/limits.ts';
import { createRelay, type Relay } from '../../src/relay/relay.ts';
import type { RelayStore } from '../../src/relay/store-port.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { openRelayStore } from '../../src/services/db/relay-store.ts';
import { createRecordingLog, type RecordingLog } from './recording-log.ts';
import { testCrypto } from './test-crypto.ts';

const engine: CryptoEngine = testCrypto;
const random = createSystemRandom();

export type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

/** A person with keys and, after `join` or `adopt`, a slug. */
export interface Person {
  readonly slug: string;
  readonly identity: NewIdentity;
  readonly session: Session;
}

export interface Route {
  readonly space?: { readonly spaceId: string; readonly channelId: string };
  readonly dm?: string;
}

export class Listener {
  readonly socket: WebSocket;
  readonly frames: Json[] = [];
  closeCode: number | null = null;
  /** Leaves pings unanswered while set. */
  mute = false;
  #wake: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Json;
      this.frames.push(frame);
      if (frame.type === 'ping' && !this.mute) this.send({ type: 'pong' });
      this.#rouse();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.#rouse();
    });
    socket.on('error', () => {});
  }

  /** Returns the first frame that fits, past or future. */
  async frame(fits: (frame: Json) => boolean, ms = 5_000): Promise<Json> {
    const found = await this.#until(() => this.frames.find(fits), ms);
    if (!found) throw new Error(`no such frame among ${JSON.stringify(this.frames)}`);
    return found;
  }

  async closed(ms = 5_000): Promise<number> {
    const code = await this.#until(() => this.closeCode ?? undefined, ms);
    if (code === undefined) throw new Error('the socket is still open');
    return code;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  async #until<T>(look: () => T | undefined, ms: number): Promise<T | undefined> {
    const end = performance.now() + ms;
    for (;;) {
      const found = look();
      const left = end - performance.now();
      if (found !== undefined || left <= 0) return found;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #rouse(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

export class RelayWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'kennel-relay-'));
  readonly log: RecordingLog = createRecordingLog();
  readonly engine = engine;
  readonly clock: Clock;
  readonly #limits: Partial<RelayLimits>;
  readonly #listeners: Listener[] = [];
  /** Agents of this world, with the slugs of their operators. */
  readonly #agents = new Map<string, { readonly agent: Person; readonly operator: string }>();
  #relay: Relay | null = null;

  readonly #host: string;
  readonly #hosts: 'loopback' | readonly string[];

  constructor(
    limits: Partial<RelayLimits> = {},
    clock: Clock = createSystemClock(),
    hosts: 'loopback' | readonly string[] = ['relay'],
    host = '127.0.0.1',
  ) {
    this.#limits = limits;
    this.#hosts = hosts;
    this.#host = host;
    this.clock = clock;
  }

  get file(): string {
    return join(this.folder, 'relay.db');
  }

  get relay(): Relay {
    if (!this.#relay) throw new Error('the relay is not running');
    return this.#relay;
  }

  /** Starts the relay over its own file, or over a faulty store. */
  async start(store: RelayStore = openRelayStore(this.file)): Promise<this> {
    const relay = await createRelay(
      { store, crypto: engine, clock: this.clock, random, log: this.log },
      { listen: { host: this.#host, port: 0 }, limits: this.#limits, hosts: this.#hosts },
    );
    if (!relay.ok) throw new Error(relay.error.message);
    this.#relay = relay.value;
    return this;
  }

  async stop(): Promise<void> {
    await this.#relay?.stop();
    this.#relay = null;
  }

  async end(): Promise<void> {
    for (const listener of this.#listeners) listener.socket.terminate();
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async raw(method: string, target: string, body: Uint8Array | null, headers: Json): Promise<Reply> {
    const answer = await fetch(`${this.relay.url}${target}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body ? { body: Buffer.from(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Json) };
  }

  headers(
    person: Person,
    method: string,
    target: string,
    body: Uint8Array | null,
    now = this.clock.now(),
  ): Json {
    const signer = { slug: person.slug, signerId: person.session.subkeyId, secret: person.session.secret };
    return {
      ...signRequest(engine, { method, target, body }, signer, now, random),
      'content-type': 'application/json',
    };
  }

  async call(person: Person, method: string, target: string, value?: unknown): Promise<Reply> {
    const body = value === undefined ? null : utf8(JSON.stringify(value));
    return await this.raw(method, target, body, this.headers(person, method, target, body));
  }

  async open(target: string, value: unknown): Promise<Reply> {
    return await this.raw('POST', target, utf8(JSON.stringify(value)), {
      'content-type': 'application/json',
    });
  }

  /** Two-phase sign-up with a fresh invite and a subkey. */
  async join(username: string, inviteCode = this.relay.createInvite()): Promise<Person> {
    const now = this.clock.now();
    const identity = createIdentity(engine, { type: 'human', operatorRootPublicKey: null, now });
    const first = await this.open('/signup', {
      invite_code: inviteCode,
      username,
      identity_cert: identity.identityCert,
      device_cert: identity.deviceCert,
    });
    if (first.status !== 201) throw new Error(JSON.stringify(first));
    return await this.bind(identity, String(first.body.slug), String(first.body.pending_token));
  }

  async adopt(operator: Person, username: string): Promise<Person> {
    const now = this.clock.now();
    const operatorRootPublicKey = operator.identity.rootPublicKey;
    const identity = createIdentity(engine, { type: 'agent', operatorRootPublicKey, now });
    const root = engine.ed25519KeyPair(operator.identity.secrets.root);
    const first = await this.call(operator, 'POST', '/agents', {
      username,
      identity_cert: identity.identityCert,
      device_cert: identity.deviceCert,
      attestation: createAttestation(engine, root, identity.rootPublicKey, now),
    });
    if (first.status !== 201) throw new Error(JSON.stringify(first));
    const agent = await this.bind(identity, String(first.body.agent_slug), String(first.body.pending_token));
    this.#agents.set(agent.slug, { agent, operator: operator.slug });
    return agent;
  }

  async bind(identity: NewIdentity, slug: string, token: string): Promise<Person> {
    const root = engine.ed25519KeyPair(identity.secrets.root);
    const binding = createSlugBinding(engine, root, slug, this.clock.now());
    const second = await this.open('/certs/slug_binding', { pending_token: token, slug_binding: binding });
    if (second.status !== 200) throw new Error(JSON.stringify(second));
    return await this.rotate({ slug, identity, session: this.session(identity) });
  }

  session(identity: NewIdentity): Session {
    return createSession(engine, identity.secrets, identity.deviceId, this.clock.now());
  }

  async rotate(person: Person): Promise<Person> {
    const body = utf8(JSON.stringify({ subkey_cert: person.session.cert }));
    const signer = {
      slug: person.slug,
      signerId: person.identity.deviceId,
      secret: person.identity.secrets.deviceSigning,
    };
    const request = { method: 'POST', target: '/devices/subkeys', body };
    const headers = signRequest(engine, request, signer, this.clock.now(), random);
    const answer = await this.raw('POST', request.target, body, headers);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer));
    return person;
  }

  event(person: Person, kind: string, payload: Json): SignedEvent {
    const signer = { slug: person.slug, deviceId: person.identity.deviceId, session: person.session };
    const signed = signEvent(engine, { kind, payload }, signer, random);
    if (!signed.ok) throw new Error(signed.error.message);
    return signed.value;
  }

  async post(person: Person, kind: string, payload: Json, more: Json = {}): Promise<Reply> {
    const event = this.event(person, kind, payload);
    return await this.call(person, 'POST', '/spaces/events', {
      space_id: payload.space_id,
      events: [event],
      ...more,
    });
  }

  /** Creates a space with its first channel. */
  async space(
    person: Person,
    name = 'Den',
  ): Promise<{ readonly spaceId: SpaceId; readonly channelId: ChannelId }> {
    const spaceId = newSpaceId(random);
    const made = await this.post(person, 'create_space', {
      space_id: spaceId,
      name,
      created_at: this.clock.now(),
    });
    const emitted = made.body.server_emitted_events as SignedEvent[] | undefined;
    const channelId = emitted?.[0]?.payload.channel_id;
    if (!isChannelId(channelId)) throw new Error(JSON.stringify(made));
    return { spaceId, channelId };
  }

  /** Invites to a space; an agent accepts an invitation of its operator, as its own client does. */
  async invite(by: Person, spaceId: string, who: string): Promise<Reply> {
    const invited = await this.inviteOnly(by, spaceId, who);
    const known = this.#agents.get(who);
    if (invited.status !== 200 || known?.operator !== by.slug) return invited;
    const { invites } = (await this.call(known.agent, 'GET', '/invites?direction=received')).body;
    const open = (invites as Json[]).find(({ space_id }) => space_id === spaceId);
    const { invitation_event_id } = open ?? {};
    const answer = { space_id: spaceId, invitation_event_id, accepted_at: this.clock.now() };
    await this.post(known.agent, 'accept_space_invite', answer);
    return invited;
  }

  async inviteOnly(by: Person, spaceId: string, who: string): Promise<Reply> {
    return await this.post(by, 'invite_to_space', {
      space_id: spaceId,
      invitee_slug: who,
      issued_at: this.clock.now(),
    });
  }

  seal(sender: Person, route: Route, text: string, to: readonly Person[]): MessageEnvelope {
    const sealed = sealMessage(engine, {
      envelopeId: newEnvelopeId(random),
      kind: route.space ? 'channel' : 'dm',
      senderSlug: sender.slug,
      // tests also pass invalid ids
      spaceId: (route.space?.spaceId ?? null) as SpaceId | null,
      channelId: (route.space?.channelId ?? null) as ChannelId | null,
      recipientSlug: route.dm ?? null,
      sentAt: this.clock.now(),
      threadRootId: null,
      replyToId: null,
      contentType: 'text/plain',
      content: text,
      visible: true,
      session: sender.session,
      recipients: to.map(({ identity }) => ({
        deviceId: identity.deviceId,
        kemPublicKey: identity.deviceCert.keys.encryption?.public_key ?? '',
      })),
    });
    if (!sealed.ok) throw new Error(sealed.error.message);
    return sealed.value.envelope;
  }

  async pending(
    person: Person,
  ): Promise<readonly { readonly seq: number; readonly envelope: MessageEnvelope }[]> {
    const answer = await this.call(person, 'GET', '/messages/pending');
    return answer.body.messages as { seq: number; envelope: MessageEnvelope }[];
  }

  /** Registry identity of `slug`, verified as a client does. */
  async verified(reader: Person, slug: string): Promise<VerifiedIdentity> {
    const answer = await this.call(reader, 'GET', `/certs/sync?slugs=${slug}&since=0`);
    const folded = foldRegistry(engine, slug, answer.body.entries as RegistryEntry[], { pinnedRoot: null });
    if (!folded.ok) throw new Error(folded.error.message);
    return folded.value;
  }

  connectFrame(person: Person, now = this.clock.now()): Json {
    return signConnect(engine, person, now, random);
  }

  async socket(): Promise<Listener> {
    const socket = new WebSocket(`${this.relay.url.replace('http', 'ws')}/subscribe`);
    const listener = new Listener(socket);
    this.#listeners.push(listener);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return listener;
  }

  async subscribe(person: Person): Promise<Listener> {
    const listener = await this.socket();
    listener.send(this.connectFrame(person));
    await listener.frame((frame) => frame.type === 'connected');
    return listener;
  }
}
