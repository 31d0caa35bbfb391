import { ok, type Result } from '../contract/result.ts';
import type { Identity } from '../core/puffo/identity.ts';
import { openAccountStore } from '../services/db/account-store.ts';
import { createBlobCache } from '../services/files/blob-cache.ts';
import { createAccount } from '../services/puffo/account.ts';
import { openOutgoing } from './files/open-outgoing.ts';
import { createAttachmentReader } from './files/read-attachment.ts';
import type { OpenParts, OperatorDeps, OperatorRecord, OperatorSession } from './operator.ts';

/** Cache limit of sealed files in bytes. */
const cacheBytes = 256 * 1024 * 1024;

/** Opens the operator's keys, store and account; the caller starts the account. */
export function openOperatorSession(
  deps: OperatorDeps,
  parts: OpenParts,
  record: OperatorRecord,
): Result<OperatorSession> {
  const { layout, ports } = deps;
  const stored = parts.keys.loadIdentity(layout.operatorKeys, record.slug);
  if (!stored.ok) return stored;
  const identity: Identity = { ...stored.value, serverUrl: parts.currentUrl(record.serverUrl) };
  const key = parts.keys.storeKey(layout.operatorStore);
  if (!key.ok) return key;
  const directory = parts.servers.directory(identity.serverUrl);
  if (!directory.ok) return directory;
  const { clock, random } = ports;
  const log = ports.log.child({ account: 'operator' });
  const store = openAccountStore({
    path: layout.operatorStore,
    key: key.value,
    slug: record.slug,
    clock,
    log,
    ...deps.watchStore('your account'),
  });
  const outgoing = openOutgoing({
    folder: layout.operatorOutgoing,
    store,
    ports,
    crypto: parts.crypto,
  });
  const account = createAccount({
    identity,
    store,
    files: outgoing,
    directory: directory.value,
    sessions: parts.keys.sessions(layout.operatorKeys, record.slug),
    crypto: parts.crypto,
    clock,
    random,
    log,
    decide: () => ({ react: false, reason: 'operator', priority: 5 }),
    events: deps.events,
    watchRooms: true,
  });
  const cache = createBlobCache(layout.operatorFiles, cacheBytes);
  const read = createAttachmentReader({ account, store, outgoing, cache, crypto: parts.crypto, clock });
  const { slug, displayName } = record;
  const self = { slug, displayName, account, store, files: { outgoing, read } };
  return ok({ self, identity, record: { ...record, serverUrl: identity.serverUrl } });
}
