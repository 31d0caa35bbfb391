import { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { NamedMember } from '../../contract/mentions.ts';
import type { Connection as ConnectionState } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isChannelId, isSpaceId } from '../../contract/room-id.ts';
import { createBackoff } from '../../core/lib/backoff.ts';
import { sleep } from '../../core/lib/sleep.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { AccountStatus, ProcessingRun } from '../../core/puffo/account-port.ts';
import type { MessageIntake } from '../../core/puffo/message-intake.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { type ServerFrame, type SignedEvent, signedEventSchema } from '../../core/puffo/wire.ts';
import { createAccountInbox, waitForRoomNames } from './account-inbox.ts';
import { createAccountSending } from './account-sending.ts';
import type {
  Account,
  AccountDeps,
  AccountLinks,
  AccountSpaces,
  Invite,
  Joined,
  ProfileChange,
} from './account-types.ts';
import { downloadBlob, uploadBlob } from './blobs.ts';
import { reconnectPolicy, ServerConnection } from './connection.ts';
import { InboxFeed } from './inbox-feed.ts';
import { createConsiderInvite, Invitations } from './invitations.ts';
import { createInviteLinks } from './invite-links.ts';
import { Outbox, type OutboxSending, outboxRetry } from './outbox.ts';
import { RevocationMemory } from './own-revocation.ts';
import { plainError, type RequestError } from './request-error.ts';
import { RetryTimer } from './retry-timer.ts';
import { createRoomMemory } from './room-cache.ts';
import { Rooms } from './rooms.ts';
import { SessionSocket } from './session-socket.ts';
import type { SignedClient } from './signed-client.ts';
import { createSpaceActions } from './space-actions.ts';
import { SpaceEvents } from './space-events.ts';
import { StatusReporter } from './status-reporter.ts';

/** Drops the members of an error that must not leave the account. */
const plain = <T>(result: Result<T, RequestError>): Result<T> =>
  result.ok ? result : err(plainError(result.error));

const strangeRoot = (slug: string): AppError => fail('untrusted', 'server.keyFileIdentityMismatch', { slug });

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The server may accept an operator's request for an agent; its event then contains the invitation. */
function acceptedFor(slug: string, { kind, signer_slug, payload }: SignedEvent): Joined | null {
  const { space_id: spaceId, channel_id: channelId, original_invite: original } = payload;
  if (signer_slug !== slug || !isSpaceId(spaceId) || original === undefined) return null;
  if (kind === 'accept_space_invite') return { spaceId, channelId: null };
  return kind === 'accept_channel_invite' && isChannelId(channelId) ? { spaceId, channelId } : null;
}

/** ms before a store that could not be read is read again. */
const storeRetryMs = 3_000;
/** ms that a running send may take to finish when the account stops. */
const lastSendMs = 2_000;

export function createAccount(deps: AccountDeps): Account {
  return new PuffoAccount(deps);
}

class PuffoAccount implements Account {
  readonly slug: string;
  readonly rootPublicKey: string;
  readonly client: SignedClient;
  readonly #deps: AccountDeps;
  readonly #connection: ServerConnection;
  readonly #feed: InboxFeed;
  readonly #outbox: Outbox;
  readonly #rooms: Rooms;
  readonly #status: StatusReporter;
  readonly #invitations: Invitations;
  readonly #events: SpaceEvents;
  readonly #revocation: RevocationMemory;
  #state: ConnectionState = 'none';
  #detail: AppError | null = null;
  #running: Promise<void> | null = null;
  #takeBack: () => void = () => undefined;
  // Created on first use: an idle agent takes and sends no message, and only the operator changes spaces.
  #inbox: MessageIntake | null = null;
  #sending: OutboxSending | null = null;
  #spaces: AccountSpaces | null = null;

  constructor(deps: AccountDeps) {
    const { session, directory, store, options } = deps;
    const { crypto, clock, random, log } = deps.ports;
    const { events } = deps.use;
    const { identity, subkeys, client } = session;
    const { slug } = identity;
    const { wheel, identities } = directory;
    this.#deps = deps;
    this.slug = slug;
    // Node's own encoder returns a flat string; one concatenated piece by piece takes a KiB for the account's
    // lifetime.
    this.rootPublicKey = Buffer.from(crypto.ed25519KeyPair(identity.secrets.root).public).toString(
      'base64url',
    );
    this.client = client;
    this.#revocation = new RevocationMemory({ identity, rootPublicKey: this.rootPublicKey, store, crypto });
    this.#rooms = new Rooms({
      client,
      directory,
      clock,
      watched: options.watchRooms ?? false,
      memory: options.watchRooms ? createRoomMemory(store) : null,
      onRooms: () => events.onRooms(),
    });
    this.#events = new SpaceEvents({ identity, client, subkeys, crypto, clock, random });
    const onAccepted = (messages: readonly StoredMessage[]) => this.#accepted(messages);
    this.#feed = new InboxFeed({ inbox: () => this.#messageInbox(), client, wheel, random, log, onAccepted });
    this.#outbox = new Outbox({
      store,
      sending: () => this.#toSend(),
      retry: new RetryTimer(outboxRetry, wheel, random),
      log,
      events,
    });
    this.#status = new StatusReporter({ client, wheel, clock, random, log, beatMs: options.heartbeatMs });
    const consider = createConsiderInvite({
      identity,
      events: this.#events,
      identities,
      log,
      onJoined: (invite) => this.#joined(invite),
    });
    this.#invitations = new Invitations({
      client,
      wheel,
      log,
      consider,
      onInvites: (waiting) => events.onInvites?.(waiting),
    });
    this.#connection = new ServerConnection({
      directory,
      sessionSocket: new SessionSocket({ slug, directory, subkeys, crypto, clock, random }),
      feed: this.#feed,
      pauses: createBackoff(reconnectPolicy, { clock, random }),
      events: {
        onState: (state, detail) => this.#changed(state, detail && this.#revocation.explain(detail)),
        onOnline: (greeting) => this.#online(greeting),
        onOffline: () => this.#offline(),
        onHeldElsewhere: () => this.#outbox.giveUp(),
        onFrame: (frame) => this.#frame(frame),
      },
      log,
    });
  }

  get spaces(): AccountSpaces {
    const { directory, ports } = this.#deps;
    this.#spaces ??= createSpaceActions({
      client: this.client,
      events: this.#events,
      directory,
      rooms: this.#rooms,
      clock: ports.clock,
    });
    return this.#spaces;
  }

  #toSend(): OutboxSending {
    const { session, directory, store, ports, use, options } = this.#deps;
    this.#sending ??= createAccountSending({
      session,
      directory,
      rooms: this.#rooms,
      store,
      files: options.files,
      ports,
      events: use.events,
      isScripted: options.isScripted ?? (() => false),
    });
    return this.#sending;
  }

  #messageInbox(): MessageIntake {
    const { session, directory, store, ports, use } = this.#deps;
    const { identity } = session;
    const { identities } = directory;
    this.#inbox ??= createAccountInbox({ identity, identities, rooms: this.#rooms, store, ports, use });
    return this.#inbox;
  }

  get links(): AccountLinks {
    const { crypto, clock, random } = this.#deps.ports;
    return createInviteLinks({ client: this.client, events: this.#events, crypto, clock, random });
  }

  start(): void {
    if (this.#running || this.#deps.session.signal.aborted) return;
    this.#running = this.#run();
  }

  /** Retries while the disk fails; without the pin nothing may be sent or trusted. */
  async #run(): Promise<void> {
    const { directory, session, ports, use } = this.#deps;
    const { events } = use;
    const { signal } = session;
    while (!signal.aborted) {
      try {
        if (directory.identities.pin(this.slug, this.rootPublicKey))
          return await this.#connection.run(signal);
        return this.#changed('blocked', strangeRoot(this.slug));
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        this.#changed('offline', error.toAppError());
        events.onStoreFault?.(error.toAppError());
      }
      await sleep(ports.clock, storeRetryMs, signal);
    }
  }

  async stop(): Promise<void> {
    this.#offline();
    const lastSend = this.#outbox.stop();
    await Promise.race([lastSend, sleep(this.#deps.ports.clock, lastSendMs, this.#deps.session.signal)]);
    this.#deps.session.end();
    await Promise.all([this.#running, lastSend, this.#feed.stop(), this.#invitations.stop()]);
  }

  connection(): { readonly state: ConnectionState; readonly detail: AppError | null } {
    return { state: this.#state, detail: this.#detail };
  }

  rooms(): ReturnType<Account['rooms']> {
    return this.#rooms.snapshot();
  }

  refreshRooms(): ReturnType<Account['refreshRooms']> {
    return this.#rooms.refresh();
  }

  lookAgain(): void {
    if (this.#state === 'online') this.#feed.fetch();
    this.#outbox.kick();
  }

  kickOutbox(): void {
    this.#outbox.kick();
  }

  person(slug: string): ReturnType<Account['person']> {
    return this.#deps.directory.profiles.person(slug);
  }

  spaceName(spaceId: string): string {
    return this.#rooms.spaceName(spaceId);
  }

  channelName(channelId: string): string {
    return this.#rooms.channelName(channelId);
  }

  members(channelId: string): readonly NamedMember[] {
    return this.#rooms.members(channelId);
  }

  setStatus(status: AccountStatus): void {
    this.#status.set(status);
  }

  processingStarted(run: { readonly runId: string; readonly messageId: string }): void {
    this.#status.processingStarted(run);
  }

  processingEnded(runs: readonly ProcessingRun[]): void {
    this.#status.processingEnded(runs);
  }

  async createSpace(name: string): ReturnType<Account['createSpace']> {
    const made = plain(await this.#events.createSpace(name));
    if (made.ok) await this.#rooms.refresh();
    return made;
  }

  async inviteToSpace(spaceId: string, slug: string): Promise<Result<void>> {
    return plain(await this.#events.invite(spaceId, null, slug));
  }

  async inviteToChannel(spaceId: string, channelId: string, slug: string): Promise<Result<void>> {
    return plain(await this.#events.invite(spaceId, channelId, slug));
  }

  async answerInvite(invite: Invite, accepts: boolean): Promise<Result<void>> {
    const answered = plain(await this.#events.answer(invite, accepts));
    if (answered.ok && accepts) this.#joined(invite);
    this.lookAtInvites();
    return answered;
  }

  lookAtInvites(): void {
    this.#invitations.look();
  }

  async updateProfile(change: ProfileChange): Promise<Result<void>> {
    const body = {
      ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
      ...(change.avatarUrl === undefined ? {} : { avatar_url: change.avatarUrl }),
      ...(change.bio === undefined ? {} : { bio: change.bio }),
      ...(change.role === undefined ? {} : { role: change.role }),
      ...(change.roleShort === undefined ? {} : { role_short: change.roleShort }),
    };
    if (Object.keys(body).length === 0) return ok(undefined);
    const answer = await this.client.json('PATCH', '/identities/self', z.unknown(), { body });
    this.#deps.directory.profiles.forget(this.slug);
    return answer.ok ? ok(undefined) : plain(answer);
  }

  async uploadBlob(bytes: Uint8Array): ReturnType<Account['uploadBlob']> {
    return plain(await uploadBlob(this.client, bytes));
  }

  async downloadBlob(blobId: string, patient = true): Promise<Result<Uint8Array>> {
    const { ports, directory } = this.#deps;
    const deps = { clock: ports.clock, skew: directory.skew, signal: this.#deps.session.signal, patient };
    return plain(await downloadBlob(this.client, blobId, deps));
  }

  #changed(state: ConnectionState, detail: AppError | null): void {
    if (state === this.#state && detail === this.#detail) return;
    this.#state = state;
    this.#detail = detail;
    this.#deps.use.events.onConnection(state, detail);
  }

  #online(greeting: ServerFrame): void {
    this.#takeBack();
    this.#takeBack = this.#deps.directory.lend(this.client);
    this.#deps.directory.identities.missedNews();
    this.#outbox.online();
    this.#status.online();
    this.#invitations.online('pushes_invites' in greeting && greeting.pushes_invites === true);
    this.#rooms.online();
  }

  #offline(): void {
    this.#takeBack();
    this.#outbox.offline();
    this.#status.offline();
    this.#invitations.offline();
    this.#rooms.stop();
  }

  /** Reports messages together with the names of their rooms, if these arrive in time. */
  async #accepted(messages: readonly StoredMessage[]): Promise<void> {
    const { ports, use } = this.#deps;
    await waitForRoomNames({ rooms: this.#rooms, ports }, messages);
    use.events.onAccepted(messages);
  }

  #joined({ spaceId, channelId }: Joined): void {
    this.#roomsChanged(null);
    this.#deps.use.events.onJoined?.({ spaceId, channelId });
  }

  #roomsChanged(spaceId: string | null): void {
    this.#deps.directory.members.changed(spaceId);
    this.#rooms.changed();
  }

  #frame(frame: ServerFrame): void {
    const { events } = this.#deps.use;
    if (frame.type === 'cert_update') this.#certificate(frame.entry);
    else if (frame.type === 'space_membership_changed') this.#roomsChanged(frame.space_id);
    else if (frame.type === 'channel_update') this.#roomsChanged(textOf(frame.space_id));
    else if (frame.type === 'event') this.#spaceEvent(frame.event);
    else if (frame.type === 'contact_request') events.onContact?.(frame.slug);
    else if (frame.type === 'processing') events.onProcessing(frame);
    else if (frame.type === 'agent_status') events.onAgentStatus?.(frame);
    else this.#deps.ports.log.debug('account.frame', { type: frame.type });
  }

  #certificate(entry: unknown): void {
    this.#deps.directory.identities.announced(entry);
    this.#revocation.announced(entry);
  }

  /** Announcements are hints to poll, never facts: only the server's response to a query counts. */
  #spaceEvent(raw: unknown): void {
    const event = signedEventSchema.safeParse(raw);
    if (!event.success) return;
    const { kind, payload } = event.data;
    const toMe = kind.startsWith('invite_to_') && payload.invitee_slug === this.slug;
    if (toMe || this.#invitations.knows(textOf(payload.invitation_event_id))) this.#invitations.look();
    const joined = acceptedFor(this.slug, event.data);
    if (joined) this.#joined(joined);
    else this.#roomsChanged(textOf(payload.space_id));
  }
}
