import { withHint } from '../../contract/errors.ts';
import type { AuditPort } from '../../core/approvals/approval-ports.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Log } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import { type AuditLog, type AuditLogOptions, openAuditLog } from '../../services/audit/audit-log.ts';
import type { HostStore } from '../../services/db/host-store.ts';
import type { Problems } from '../problems.ts';

export interface HostAuditDeps {
  readonly folder: string;
  /** Version of Kennel, for the line that records the start. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly problems: Problems;
}

export interface HostAudit {
  readonly log: AuditLog;
  /** Shows a failed write as a problem until a write succeeds. */
  readonly port: AuditPort;
  noteStart(): void;
}

export type OpenHostAudit = (
  store: Pick<HostStore, 'auditEnd' | 'keepAuditEnd'>,
  signer: Pick<AuditLogOptions, 'crypto' | 'publicKey' | 'sign'>,
) => HostAudit;

/** The encrypted store remembers the end of the log, so removing lines requires changing both. */
function auditMemory(
  store: Parameters<OpenHostAudit>[0],
  log: Log,
): Pick<AuditLogOptions, 'remembered' | 'onWritten'> {
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

const showLosses = (problems: Problems): Pick<AuditLogOptions, 'onMissing' | 'onDamaged'> => ({
  onMissing: (what) =>
    problems.set('audit-missing', 'error', {
      message: say('storage.auditIncomplete', { what }),
      hint: say('storage.findWhoRemoved'),
    }),
  onDamaged: (movedTo, known) =>
    problems.set('audit', 'error', {
      message:
        known > 0
          ? say('storage.auditCutShort', { known, path: movedTo })
          : say('storage.auditDamaged', { path: movedTo }),
      hint: say('storage.findWhoChanged'),
    }),
});

export const createAuditOpener =
  ({ folder, version, clock, log, problems }: HostAuditDeps): OpenHostAudit =>
  (store, signer) => {
    const audit = openAuditLog({
      folder,
      ...signer,
      clock,
      log,
      ...auditMemory(store, log),
      ...showLosses(problems),
    });
    return {
      log: audit,
      port: {
        async append(entry) {
          const written = await audit.append(entry);
          if (written.ok) problems.clear('audit-write');
          else problems.set('audit-write', 'error', withHint(written.error, say('storage.agentsDoNothing')));
          return written;
        },
      },
      noteStart() {
        const start = { agentId: '', tool: '', digest: '', outcome: 'start', detail: version };
        void audit.append({ kind: 'start', ...start });
      },
    };
  };
