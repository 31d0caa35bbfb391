import { ok, type Result } from '../contract/result.ts';
import type { Identity } from '../core/puffo/identity.ts';
import { openAccountStore } from '../services/db/account-store.ts';
import { createAccount } from '../services/puffo/account.ts';
import type { OpenParts, OperatorDeps, OperatorRecord, OperatorSession } from './operator.ts';

/** Opens the operator's keys, store and account; started by the caller. */
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
  const account = createAccount({
    identity,
    store,
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
  const self = { slug: record.slug, displayName: record.displayName, account, store };
  return ok({ self, identity, record: { ...record, serverUrl: identity.serverUrl } });
}
