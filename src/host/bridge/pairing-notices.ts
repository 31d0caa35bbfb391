import type { Result } from '../../contract/result.ts';
import type { AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { Clock, Log, Timer } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { Pairing } from '../../services/bridge/pairing-file.ts';
import type { Problems } from '../problems.ts';

const noticeMs = 10 * 60_000;

export interface PairingNoticeDeps {
  readonly problems: Problems;
  readonly clock: Clock;
  readonly log: Log;
  /** Writes to the audit log. */
  note(entry: AuditEntry): Promise<Result<void>>;
}

/** Shows the operator what pairs, so that an unrequested pairing is noticed, and writes it to the audit log. */
export interface PairingNotices {
  paired(now: Pairing, before: Pairing | null): void;
  unpaired(before: Pairing): void;
  tooManyFailures(): void;
  stop(): void;
}

export function createPairingNotices({ problems, clock, log, note }: PairingNoticeDeps): PairingNotices {
  let timer: Timer | null = null;
  const show = (message: HostText, severity: 'info' | 'warning'): void => {
    problems.set('pairing', severity, { message, hint: say('programs.unpairIfNotYou') });
    timer?.cancel();
    timer = clock.after(noticeMs, () => problems.clear('pairing'), { unref: true });
  };
  const entryOf = ({ slug, device_id: device }: Pairing) => ({
    agentId: '',
    tool: 'bridge',
    digest: '',
    detail: `${slug} ${device}`,
  });
  return {
    paired(now, before) {
      log.info('bridge_paired', { slug: now.slug, device: now.device_id });
      show(
        before
          ? say('programs.devicePairedInstead', { slug: now.slug, before: before.slug })
          : say('programs.devicePaired', { slug: now.slug }),
        'info',
      );
      void note({ ...entryOf(now), kind: 'grant', outcome: 'paired' });
    },
    unpaired(before) {
      log.info('bridge_unpaired', { slug: before.slug, device: before.device_id });
      problems.clear('pairing');
      void note({ ...entryOf(before), kind: 'revoke', outcome: 'unpaired' });
    },
    tooManyFailures: () => show(say('programs.pairingClosed'), 'warning'),
    stop: () => timer?.cancel(),
  };
}
