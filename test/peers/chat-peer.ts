/**
 * A chat client written from the protocol specification alone (spec §1, §2, §6), like an agent of the 0.8
 * era. It shares no code with the product, so that both cannot have the same mistake.
 */
import { randomBytes, randomUUID, verify } from 'node:crypto';
import { WebSocket } from 'ws';
import { openRequest, SignedRequests } from './peer-http.ts';
import {
  attestation,
  canonical,
  type Json,
  type Keys,
  newKeys,
  publicKey,
  raw,
  signature,
  slugBinding,
  url,
  type Value,
} from './peer-keys.ts';
import { type Known, lookUp } from './peer-people.ts';
import {
  aeadOpen,
  aeadSeal,
  type FileMeta,
  type Outer,
  openFile,
  outerAad,
  sealFile,
  unwrap,
  type Wrapped,
  wrap,
} from './peer-seal.ts';

export interface Told {
  readonly id: string;
  /** Sequence number of the frame or row; clients from 2.0 drop the connection if it is not positive. */
  readonly seq: number;
  readonly from: string;
  readonly kind: 'channel' | 'dm';
  readonly channelId: string | null;
  readonly threadRoot: string | null;
  readonly contentType: string;
  readonly content: Value;
  readonly visible: boolean;
}

export type To = { readonly spaceId: string; readonly channelId: string } | { readonly dm: string };

export interface Saying {
  readonly thread?: string;
  readonly visible?: boolean;
  readonly contentType?: string;
}

export interface Invitation {
  readonly invitation_event_id: string;
  readonly scope: 'space' | 'channel';
  readonly space_id: string;
  readonly channel_id: string | null;
  readonly inviter_slug: string;
}

interface Envelope extends Outer {
  readonly content_nonce: string;
  readonly content_ciphertext: string;
  readonly recipients: readonly Wrapped[];
}

type Frame = { readonly type: string } & Record<string, unknown>;

export class ChatPeer {
  readonly slug: string;
  readonly keys: Keys;
  readonly requests: SignedRequests;
  readonly #server: string;
  #socket: WebSocket | null = null;
  /** Received messages in order, without duplicates. */
  readonly told: Told[] = [];
  readonly frames: Frame[] = [];
  /** Messages that failed to open, with the reason. */
  readonly odd: string[] = [];
  #handling: Promise<void> = Promise.resolve();

  constructor(server: string, slug: string, keys: Keys) {
    this.#server = server;
    this.slug = slug;
    this.keys = keys;
    this.requests = new SignedRequests(server, slug, keys);
  }

  /** Two phases: the server chooses the slug, then the root key signs for it. */
  static async signUp(server: string, inviteCode: string, username: string): Promise<ChatPeer> {
    const keys = newKeys(null);
    const certs = { identity_cert: keys.identityCert, device_cert: keys.deviceCert };
    const first = await openRequest(server, '/signup', { invite_code: inviteCode, username, ...certs });
    return ChatPeer.#bound(server, keys, String(first.slug), first);
  }

  async registerAgent(username: string): Promise<ChatPeer> {
    const keys = newKeys(this.keys.root.public);
    const { json } = await this.requests.ask('POST', '/agents', {
      username,
      identity_cert: keys.identityCert,
      device_cert: keys.deviceCert,
      attestation: attestation(this.keys.root, keys.root.public),
    });
    return ChatPeer.#bound(this.#server, keys, String(json.agent_slug), json);
  }

  static async #bound(server: string, keys: Keys, slug: string, first: Json): Promise<ChatPeer> {
    const binding = slugBinding(keys.root, slug);
    const token = first.pending_token as string;
    await openRequest(server, '/certs/slug_binding', { pending_token: token, slug_binding: binding });
    return new ChatPeer(server, slug, keys);
  }

  known(slug: string): Promise<Known> {
    return lookUp(this.requests, slug);
  }

  async #list<T>(path: string, member: string): Promise<readonly T[]> {
    return ((await this.requests.ask('GET', path)).json[member] ?? []) as unknown as readonly T[];
  }

  invitations(): Promise<readonly Invitation[]> {
    return this.#list('/invites?direction=received', 'invites');
  }

  spaces(): Promise<readonly { readonly space_id: string; readonly name: string }[]> {
    return this.#list('/spaces', 'spaces');
  }

  channels(
    spaceId: string,
  ): Promise<readonly { readonly channel_id: string; readonly is_public: boolean }[]> {
    return this.#list(`/spaces/${spaceId}/channels`, 'channels');
  }

  members(spaceId: string, channelId: string): Promise<readonly { readonly slug: string }[]> {
    return this.#list(`/spaces/${spaceId}/channels/${channelId}/members`, 'members');
  }

  async answer(invitation: Invitation, accepts: boolean): Promise<void> {
    const { scope, space_id, channel_id, invitation_event_id } = invitation;
    await this.event(`${accepts ? 'accept' : 'reject'}_${scope}_invite`, {
      space_id,
      ...(scope === 'channel' ? { channel_id } : {}),
      invitation_event_id,
      [accepts ? 'accepted_at' : 'rejected_at']: Date.now(),
    });
  }

  async createSpace(name: string): Promise<{ readonly spaceId: string; readonly channelId: string }> {
    const spaceId = `sp_${randomUUID()}`;
    const made = await this.event('create_space', { space_id: spaceId, name, created_at: Date.now() });
    const [general] = made.server_emitted_events as unknown as readonly { payload: Json }[];
    return { spaceId, channelId: String(general?.payload.channel_id) };
  }

  async invite(spaceId: string, slug: string): Promise<void> {
    const invited = { space_id: spaceId, invitee_slug: slug, issued_at: Date.now() };
    await this.event('invite_to_space', invited);
  }

  async event(kind: string, payload: Json & { readonly space_id: string }): Promise<Json> {
    const { id, keys } = await this.requests.subkey();
    const body = {
      type: 'signed_event',
      version: 1,
      event_id: `ev_${randomUUID()}`,
      kind,
      payload: { ...payload, nonce: url(randomBytes(32)) },
      signer_slug: this.slug,
      signer_device_id: this.keys.deviceId,
      signer_subkey_id: id,
    };
    const event = { ...body, signature: signature(keys, canonical(body as Json)) };
    const sent = { space_id: payload.space_id, events: [event] };
    return (await this.requests.ask('POST', '/spaces/events', sent as unknown as Json)).json;
  }

  async #recipients(to: To): Promise<readonly { readonly id: string; readonly kem: string }[]> {
    const slugs =
      'dm' in to ? [this.slug, to.dm] : (await this.members(to.spaceId, to.channelId)).map((one) => one.slug);
    const people = await Promise.all([...new Set(slugs)].map((slug) => this.known(slug)));
    return people.flatMap(({ devices }) => [...devices].map(([id, kem]) => ({ id, kem })));
  }

  /** Returns the id of the message. */
  async say(to: To, content: Value, how: Saying = {}): Promise<string> {
    const envelope = await this.seal(to, content, how);
    await this.requests.ask('POST', '/messages', envelope);
    return String(envelope.envelope_id);
  }

  /** Returns the sealed envelope in its wire format. */
  async seal(to: To, content: Value, how: Saying = {}): Promise<Json> {
    const { id: subkeyId, keys } = await this.requests.subkey();
    const outer: Outer = {
      envelope_id: `msg_${randomUUID()}`,
      envelope_kind: 'dm' in to ? 'dm' : 'channel',
      sender_slug: this.slug,
      sent_at: Date.now(),
      space_id: 'dm' in to ? null : to.spaceId,
      channel_id: 'dm' in to ? null : to.channelId,
      recipient_slug: 'dm' in to ? to.dm : null,
    };
    const { envelope_id, ...route } = outer;
    const payload: Json = {
      ...route,
      type: 'message_payload',
      version: 1,
      sender_subkey_id: subkeyId,
      message_nonce: url(randomBytes(16)),
      thread_root_id: how.thread ?? null,
      reply_to_id: null,
      content_type: how.contentType ?? 'text/plain',
      content,
      is_visible_to_human: how.visible ?? true,
    };
    const inner = JSON.stringify({ payload, signature: signature(keys, canonical(payload)) });
    const [contentKey, nonce] = [randomBytes(32), randomBytes(12)];
    const sealed = aeadSeal(contentKey, nonce, outerAad(outer), Buffer.from(inner));
    const recipients = (await this.#recipients(to)).map((device) => wrap(contentKey, envelope_id, device));
    return {
      ...(outer as unknown as Json),
      type: 'message_envelope',
      version: 1,
      content_nonce: url(nonce),
      content_ciphertext: url(sealed),
      recipients: recipients as unknown as Value,
    };
  }

  async sayWithFile(to: To, text: string, name: string, mimeType: string, bytes: Buffer): Promise<string> {
    const file = sealFile(name, mimeType, bytes);
    const { json } = await this.requests.ask('POST', '/blobs/upload', file.blob);
    const attachments = [file.meta(String(json.blob_id))];
    return this.say(to, { text, attachments }, { contentType: 'puffo/message+attachments/v1' });
  }

  async fetchFile(meta: FileMeta): Promise<Buffer> {
    return openFile(meta, (await this.requests.ask('GET', `/blobs/${meta.blob_id}`)).bytes);
  }

  async heartbeat(
    status: 'idle' | 'busy' | 'error' | 'paused' | 'archived',
    messageId?: string,
  ): Promise<number> {
    const body = { status, ...(messageId ? { current_message_id: messageId } : {}) };
    return (await this.requests.tried('POST', '/agents/me/heartbeat', body)).status;
  }

  async begin(messageId: string, runId = `run_${randomBytes(16).toString('hex')}`): Promise<string> {
    await this.requests.ask('POST', `/messages/${messageId}/processing/start`, { run_id: runId });
    return runId;
  }

  async finish(runs: readonly { readonly run_id: string; readonly message_id: string }[]): Promise<void> {
    const ended = runs.map((run) => ({ ...run, succeeded: true }));
    await this.requests.ask('POST', '/messages/processing/end:batch', { runs: ended });
  }

  /** Handshake, then pending messages, then live ones; acknowledges each message after it is stored. */
  async connect(): Promise<void> {
    const { id, keys } = await this.requests.subkey();
    const socket = new WebSocket(`${this.#server.replace(/^http/, 'ws')}/subscribe`);
    const [nonce, timestamp] = [url(randomBytes(16)), Date.now()];
    const text = `ws-connect\n${this.slug}\n${id}\n${nonce}\n${timestamp}`;
    const hello = { type: 'connect', slug: this.slug, subkey_id: id, nonce, timestamp };
    socket.on('open', () => socket.send(JSON.stringify({ ...hello, signature: signature(keys, text) })));
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject).on('close', () => reject(new Error('closed before it began')));
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame;
        if (frame.type === 'connected') {
          if (!/^[\w-]{1,128}$/.test(String(frame.session_id))) this.odd.push('an odd session id');
          resolve();
        } else this.#frame(socket, frame);
      });
    });
    this.#socket = socket;
    const { json } = await this.requests.ask('GET', '/messages/pending');
    for (const row of json.messages as unknown as readonly { envelope: Envelope; seq: number }[]) {
      this.#frame(socket, { type: 'message', ...row });
    }
    await this.#handling;
  }

  close(): void {
    this.#socket?.terminate();
    this.#socket = null;
  }

  #frame(socket: WebSocket, frame: Frame): void {
    if (frame.type === 'ping') socket.send('{"type":"pong"}');
    if (frame.type !== 'message') {
      this.frames.push(frame);
      return;
    }
    const envelope = frame.envelope as Envelope;
    const { seq } = frame;
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1) {
      this.odd.push(`${envelope.envelope_id}: the sequence number ${String(seq)}`);
    }
    this.#handling = this.#handling.then(async () => {
      try {
        const told = await this.#open(envelope, Number(seq));
        if (!this.told.some(({ id }) => id === told.id)) this.told.push(told);
      } catch (error) {
        this.odd.push(`${envelope.envelope_id}: ${String(error)}`);
      }
      socket.send(JSON.stringify({ type: 'ack', envelope_ids: [envelope.envelope_id] }));
    });
  }

  async #open(envelope: Envelope, seq: number): Promise<Told> {
    const own = envelope.recipients.find((entry) => entry.device_id === this.keys.deviceId);
    if (!own) throw new Error('not for this device');
    const key = unwrap(own, envelope.envelope_id, this.keys.kem);
    const sealed = raw(envelope.content_ciphertext);
    const inner = aeadOpen(key, raw(envelope.content_nonce), outerAad(envelope), sealed);
    const { payload, signature: signed } = JSON.parse(inner.toString('utf8')) as {
      payload: Json;
      signature: string;
    };
    const members = Object.keys(payload).length;
    if (members !== 15) throw new Error(`a payload of ${members} members`);
    const same = [
      'envelope_kind',
      'sender_slug',
      'sent_at',
      'space_id',
      'channel_id',
      'recipient_slug',
    ] as const;
    for (const name of same) if (payload[name] !== envelope[name]) throw new Error(`another ${name} inside`);
    const subkey = (await this.known(envelope.sender_slug)).subkeys.get(String(payload.sender_subkey_id));
    if (
      !subkey ||
      !verify(null, Buffer.from(canonical(payload)), publicKey('ed25519', subkey), raw(signed))
    ) {
      throw new Error('the signature does not hold');
    }
    return {
      id: envelope.envelope_id,
      seq,
      from: envelope.sender_slug,
      kind: envelope.envelope_kind,
      channelId: envelope.channel_id,
      threadRoot: payload.thread_root_id as string | null,
      contentType: String(payload.content_type),
      content: payload.content ?? null,
      visible: payload.is_visible_to_human !== false,
    };
  }
}
