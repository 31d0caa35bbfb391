import type { AuditPort } from '../../core/approvals/approval-ports.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { Clock, Log } from '../../core/ports.ts';
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
      message: `The audit log is not whole: ${what}. A new line in it says so; what else it holds is kept.`,
      hint: 'If you did not remove them yourself, find out who did. A backup of your data folder may have them.',
    }),
  onDamaged: (movedTo, known) =>
    problems.set('audit', 'error', {
      message: `The audit log was damaged or cut short${known > 0 ? `: it should have ${known} lines` : ''}. It was put aside as ${movedTo}, and a new one was begun.`,
      hint: 'If you did not change it yourself, find out who did: "kennel audit verify" tells what it holds.',
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
          else
            problems.set('audit-write', 'error', {
              ...written.error,
              hint: 'Until then agents may do nothing.',
            });
          return written;
        },
      },
      noteStart() {
        const start = { agentId: '', tool: '', digest: '', outcome: 'start', detail: version };
        void audit.append({ kind: 'start', ...start });
      },
    };
  };
