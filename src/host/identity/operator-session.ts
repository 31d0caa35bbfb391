import { ok, type Result } from '../../contract/result.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { say } from '../../language/say.ts';
import { openAccountStore } from '../../services/db/account-store.ts';
import { createBlobCache } from '../../services/files/blob-cache.ts';
import { createAccount } from '../../services/puffo/account.ts';
import { createAccountSession } from '../../services/puffo/account-session.ts';
import type { AccountEvents } from '../../services/puffo/account-types.ts';
import { openOutgoing } from '../files/open-outgoing.ts';
import { createAttachmentReader } from '../files/read-attachment.ts';
import type { Layout } from '../layout.ts';
import type { WatchStore } from '../stores/store-watch.ts';
import type { OpenParts, OperatorRecord, OperatorSession } from './operator.ts';

/** Cache limit of sealed files in bytes. */
const cacheBytes = 256 * 1024 * 1024;

export interface OperatorSessionDeps {
  readonly layout: Layout;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly events: AccountEvents;
  readonly watchStore: WatchStore;
}

/** Opens the operator's keys, store and account at the record's server; the caller starts the account. */
export function openOperatorSession(
  deps: OperatorSessionDeps,
  parts: OpenParts,
  record: OperatorRecord,
): Result<OperatorSession> {
  const { layout, clock, random } = deps;
  const stored = parts.keys.loadIdentity(layout.operatorKeys, record.slug);
  if (!stored.ok) return stored;
  const identity: Identity = { ...stored.value, serverUrl: record.serverUrl };
  const key = parts.keys.storeKey(layout.operatorStore);
  if (!key.ok) return key;
  const directory = parts.servers.directory(identity.serverUrl);
  if (!directory.ok) return directory;
  const log = deps.log.child({ account: 'operator' });
  const store = openAccountStore({
    path: layout.operatorStore,
    key: key.value,
    slug: record.slug,
    clock,
    log,
    ...deps.watchStore(say('storage.yourAccount')),
  });
  const outgoing = openOutgoing({
    folder: layout.operatorOutgoing,
    store,
    ports: { clock, random, log: deps.log },
    crypto: parts.crypto,
  });
  const { crypto } = parts;
  const sessions = parts.keys.sessions(layout.operatorKeys, record.slug);
  const { requests } = directory.value;
  const account = createAccount({
    session: createAccountSession({ identity, sessions, requests, crypto, clock, log }),
    directory: directory.value,
    store,
    ports: { crypto, clock, random, log },
    use: { events: deps.events, decide: () => ({ react: false, reason: 'operator', priority: 5 }) },
    options: { files: outgoing, watchRooms: true },
  });
  const cache = createBlobCache(layout.operatorFiles, cacheBytes);
  const read = createAttachmentReader({ account, store, outgoing, cache, crypto: parts.crypto, clock });
  const { slug, displayName } = record;
  const { identities } = directory.value;
  identities.watchTrust(() => deps.events.onRooms());
  const self = { slug, displayName, account, store, identities, files: { outgoing, read } };
  return ok({ self, identity, record });
}
