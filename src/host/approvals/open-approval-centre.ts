import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import { ApprovalCentre } from '../../core/approvals/approval-centre.ts';
import type { CentreDeps } from '../../core/approvals/approval-centre-ports.ts';
import { toBase64Url, toHex } from '../../core/lib/bytes.ts';
import type { Clock, Log, Random } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { AuditLog } from '../../services/audit/audit-log.ts';
import { type HostStore, openHostStore } from '../../services/db/host-store.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';
import type { WatchStore } from '../stores/store-watch.ts';
import type { OpenHostAudit } from './open-audit.ts';

export interface CentreParts {
  readonly centre: ApprovalCentre;
  readonly store: HostStore;
  readonly audit: AuditLog;
  /** base64url */
  readonly publicKey: string;
}

export type CentreHooks = Pick<CentreDeps, 'rules' | 'events'>;

/** Opens the store, the audit log and the host's key; needs an open vault. */
export type OpenCentre = (
  parts: Pick<OpenParts, 'keys' | 'crypto'>,
  hooks: CentreHooks,
) => Result<CentreParts>;

export interface OpenCentreDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly layout: Pick<Layout, 'hostStore' | 'audit'>;
  readonly watchStore: WatchStore;
  readonly openAudit: OpenHostAudit;
}

/** The host's signing key, beside the audit log and wrapped by the vault. */
const hostKeyFile = (audit: string): string => join(audit, 'host');

export const createCentreOpener =
  ({ clock, random, log, layout, watchStore, openAudit }: OpenCentreDeps): OpenCentre =>
  ({ keys, crypto }, hooks) => {
    const storeKey = keys.storeKey(layout.hostStore);
    if (!storeKey.ok) return storeKey;
    const seed = keys.storeKey(hostKeyFile(layout.audit));
    if (!seed.ok) return seed;
    const pair = crypto.ed25519KeyPair(seed.value);
    const publicKey = toBase64Url(pair.public);
    const sign = (bytes: Uint8Array): string => toBase64Url(crypto.ed25519Sign(bytes, pair.secret));
    const store = openHostStore({
      path: layout.hostStore,
      key: storeKey.value,
      clock,
      log,
      ...watchStore(say('storage.questions')),
    });
    const audit = openAudit(store, { crypto, publicKey, sign });
    const centre = new ApprovalCentre({
      records: {
        store,
        audit: audit.port,
        signer: { publicKey, sign, sha256: (bytes) => toHex(crypto.sha256(bytes)) },
      },
      clock,
      random,
      log,
      ...hooks,
    });
    audit.noteStart();
    return ok({ centre, store, audit: audit.log, publicKey });
  };
