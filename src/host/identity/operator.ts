import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine, DiskPort } from '../../core/ports.ts';
import { absoluteAvatarUrl, avatarBlobId } from '../../core/puffo/avatar-url.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { ChatSelf } from '../chat/self.ts';
import type { Layout } from '../layout.ts';
import { recordFile } from '../stores/record-file.ts';
import type { AccountKeys } from '../vault/account-keys.ts';
import type { Servers } from './servers.ts';

const operatorRecord = z.object({
  slug: z.string().min(1),
  displayName: z.string(),
  /** As received from the server; empty without one. */
  avatarUrl: z.string().default(''),
  serverUrl: z.string().min(1),
  /** Space to which new agents are invited, or `null` if none exists yet. */
  homeSpaceId: z.string().nullable(),
});
export type OperatorRecord = z.infer<typeof operatorRecord>;

export type OperatorProfile = Partial<Pick<OperatorRecord, 'displayName' | 'avatarUrl'>>;

export interface OperatorSession {
  readonly self: ChatSelf;
  readonly identity: Identity;
  readonly record: OperatorRecord;
}

/** Opens keys, store and account; the account is not started yet. */
export type OpenSession = (parts: OpenParts, record: OperatorRecord) => Result<OperatorSession>;

export interface OperatorDeps {
  readonly layout: Layout;
  readonly disk: DiskPort;
  /** Loaded on demand: a host without an operator needs no account. */
  readonly loadOpener: () => Promise<OpenSession>;
}

/** Available only while the vault is open. */
export interface OpenParts {
  readonly keys: AccountKeys;
  readonly servers: Servers;
  readonly crypto: CryptoEngine;
  currentUrl(serverUrl: string): string;
}

/** The operator of this host: one identity, stored separately from the agents'. */
export interface Operator {
  record(): Result<OperatorRecord | null>;
  session(): OperatorSession | null;
  /** Loads the keys and starts the account; `null` before the sign-up. */
  start(parts: OpenParts): Promise<Result<OperatorSession | null>>;
  /** Saves a new identity as the operator's, then starts it. */
  adopt(parts: OpenParts, identity: Identity, displayName: string): Promise<Result<OperatorSession>>;
  /** Saves the profile here; `ProfileSync` updates the server. */
  setProfile(change: OperatorProfile): Result<void>;
  /** `null` clears it until the next agent needs a space. */
  setHomeSpace(spaceId: string | null): Result<void>;
  stop(): Promise<void>;
  /** Stops, then deletes identity, messages and keys. */
  erase(): Promise<Result<void>>;
}

/** The record under the server's present address: an embedded relay may have moved to another port. */
function atAddress(record: OperatorRecord, serverUrl: string): OperatorRecord {
  const picture = avatarBlobId(record.avatarUrl, record.serverUrl);
  const avatarUrl = picture === null ? record.avatarUrl : absoluteAvatarUrl(`/blobs/${picture}`, serverUrl);
  return { ...record, serverUrl, avatarUrl };
}

export function createOperator(deps: OperatorDeps): Operator {
  const { layout, disk, loadOpener } = deps;
  const file = recordFile(disk, layout.operatorFile, operatorRecord);
  let session: OperatorSession | null = null;

  const open = async (parts: OpenParts, record: OperatorRecord): Promise<Result<OperatorSession>> => {
    const openSession = await loadOpener();
    // A concurrent start may have opened it meanwhile.
    if (session) return ok(session);
    const present = atAddress(record, parts.currentUrl(record.serverUrl));
    const opened = openSession(parts, present);
    if (!opened.ok) return opened;
    // If the disk fails here, the session has the present address all the same, and the next start writes it.
    if (present.serverUrl !== record.serverUrl) file.write(present);
    session = opened.value;
    session.self.account.start();
    return opened;
  };
  const stop = async (): Promise<void> => {
    const leaving = session;
    session = null;
    await leaving?.self.account.stop();
    leaving?.self.store.release();
  };

  return {
    record: () => file.read(),
    session: () => session,
    async start(parts) {
      if (session) return ok(session);
      const record = file.read();
      if (!record.ok || record.value === null) return record as Result<null>;
      return open(parts, record.value);
    },
    async adopt(parts, identity, displayName) {
      const { slug, serverUrl } = identity;
      const record: OperatorRecord = { slug, displayName, avatarUrl: '', serverUrl, homeSpaceId: null };
      const saved = parts.keys.saveIdentity(layout.operatorKeys, identity);
      if (!saved.ok) return saved;
      const written = file.write(record);
      return written.ok ? open(parts, record) : written;
    },
    setProfile(change) {
      const before = file.read();
      if (!before.ok) return before;
      if (!before.value) return err(fail('conflict', 'identity.noOperator'));
      const written = file.write({ ...(session?.record ?? before.value), ...change });
      if (!written.ok || !session) return written;
      const { displayName = session.self.displayName } = change;
      session = {
        ...session,
        self: { ...session.self, displayName },
        record: { ...session.record, ...change },
      };
      return written;
    },
    setHomeSpace(spaceId) {
      const record = file.read();
      if (!record.ok) return record;
      if (!record.value) return err(fail('conflict', 'identity.noOperator'));
      if (session) session = { ...session, record: { ...session.record, homeSpaceId: spaceId } };
      return record.value.homeSpaceId === spaceId
        ? ok(undefined)
        : file.write({ ...(session?.record ?? record.value), homeSpaceId: spaceId });
    },
    stop,
    async erase() {
      await stop();
      return disk.remove(layout.operator);
    },
  };
}
