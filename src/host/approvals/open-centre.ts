import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import type { AuditPort } from '../../core/approvals/approval-ports.ts';
import { ApprovalCentre } from '../../core/approvals/centre.ts';
import type { CentreDeps } from '../../core/approvals/centre-ports.ts';
import { toBase64Url, toHex } from '../../core/lib/bytes.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Log } from '../../core/ports.ts';
import { type AuditLog, type AuditLogOptions, openAuditLog } from '../../services/audit/audit-log.ts';
import { type HostStore, openHostStore } from '../../services/db/host-store.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Layout } from '../layout.ts';
import type { OpenParts } from '../operator.ts';
import type { Problems } from '../problems.ts';
import type { WatchStore } from '../store-watch.ts';

export interface CentreParts {
  readonly centre: ApprovalCentre;
  readonly store: HostStore;
  readonly audit: AuditLog;
  /** base64url */
  readonly publicKey: string;
}

export interface OpenCentreDeps
  extends Pick<CentreDeps, 'facts' | 'lifeMs' | 'onChanged' | 'onAsked' | 'answerer'> {
  readonly ports: HostPorts;
  readonly layout: Layout;
  readonly problems: Problems;
  readonly watchStore: WatchStore;
}

/** The host's signing key, beside the audit log and wrapped by the vault. */
const hostKeyFile = (layout: Layout): string => join(layout.audit, 'host');

/** The encrypted store remembers the end of the log, so removing lines requires changing both. */
function auditMemory(store: HostStore, log: Log): Pick<AuditLogOptions, 'remembered' | 'onWritten'> {
  const failed = (error: unknown): null => {
    if (!(error instanceof StoreError)) throw error;
    log.warn('audit_end_not_kept', { code: error.code });
    return null;
  };
  return {
    remembered: () => {
      try {
        return store.auditEnd();
      } catch (error) {
        return failed(error);
      }
    },
    onWritten: (end) => {
      try {
        store.keepAuditEnd(end);
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** Opens the store, the audit log and the host's key; needs an open vault. */
export function openCentre(deps: OpenCentreDeps, parts: OpenParts): Result<CentreParts> {
  const { ports, layout, problems } = deps;
  const { clock, random, log } = ports;
  const { crypto } = parts;
  const storeKey = parts.keys.storeKey(layout.hostStore);
  if (!storeKey.ok) return storeKey;
  const seed = parts.keys.storeKey(hostKeyFile(layout));
  if (!seed.ok) return seed;
  const pair = crypto.ed25519KeyPair(seed.value);
  const publicKey = toBase64Url(pair.public);
  const sign = (bytes: Uint8Array): string => toBase64Url(crypto.ed25519Sign(bytes, pair.secret));
  const store = openHostStore({
    path: layout.hostStore,
    key: storeKey.value,
    clock,
    log,
    ...deps.watchStore('questions and answers'),
  });
  const audit = openAuditLog({
    folder: layout.audit,
    crypto,
    publicKey,
    sign,
    clock,
    log,
    ...auditMemory(store, log),
    onMissing: (what) =>
      problems.set('audit-missing', 'error', {
        message: `The audit log is not whole: ${what}. A new line in it says so; what else it holds is kept.`,
        hint: 'If you did not remove them yourself, find out who did. A backup of your data folder may have them.',
      }),
    onDamaged: (movedTo, known) =>
      problems.set('audit', 'error', {
        message: `The audit log was damaged or cut short${known > 0 ? `: it should have ${known} lines` : ''}. It was put aside as ${movedTo}, and a new one was begun.`,
        hint: 'If you did not change it yourself, find out who did: "kennel audit verify" tells what it holds.',
      }),
  });
  const told: AuditPort = {
    async append(entry) {
      const written = await audit.append(entry);
      if (written.ok) problems.clear('audit-write');
      else
        problems.set('audit-write', 'error', { ...written.error, hint: 'Until then agents may do nothing.' });
      return written;
    },
  };
  const { facts, lifeMs, onChanged, onAsked, answerer } = deps;
  const signer = { publicKey, sign, sha256: (bytes: Uint8Array) => toHex(crypto.sha256(bytes)) };
  const centre = new ApprovalCentre({
    store,
    audit: told,
    signer,
    clock,
    random,
    log,
    facts,
    lifeMs,
    onChanged,
    onAsked,
    ...(answerer ? { answerer } : {}),
  });
  const start = { agentId: '', tool: '', digest: '', outcome: 'start', detail: ports.version };
  void audit.append({ kind: 'start', ...start });
  return ok({ centre, store, audit, publicKey });
}
