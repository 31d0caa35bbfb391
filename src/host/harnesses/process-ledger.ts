/**
 * The ledger of agent programs: a plain file, because a host ends what is left of the previous one before its
 * vault is open.
 */
import { z } from 'zod';
import type { Result } from '../../contract/result.ts';
import type { Clock, DiskPort, Log } from '../../core/ports.ts';
import type { HarnessLedger, HarnessRecord } from '../../core/runtimes/harness-ports.ts';
import { endTree, processStart } from '../../platform/process-tree.ts';
import { recordFile } from '../stores/record-file.ts';

const recordSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  program: z.string(),
  pid: z.int().min(2),
  started: z.string(),
  /** Long enough that no other process has it by chance. */
  marker: z.string().min(20),
  hasWall: z.boolean(),
  container: z.string().nullable().default(null),
  at: z.number(),
});
const fileSchema = z.object({ version: z.literal(1), processes: z.array(recordSchema) });

export interface ProcessLedger extends HarnessLedger {
  list(): readonly HarnessRecord[];
  /** Ends what an earlier host left running; call before the first `add`. Never throws. */
  reap(): void;
}

export interface ProcessLedgerDeps {
  readonly disk: DiskPort;
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function createProcessLedger({ disk, path, clock, log }: ProcessLedgerDeps): ProcessLedger {
  const file = recordFile(disk, path, fileSchema);
  let records: readonly HarnessRecord[] = [];
  const write = (next: readonly HarnessRecord[]): Result<void> => {
    const written = file.write({ version: 1, processes: [...next] });
    if (written.ok) records = next;
    return written;
  };
  return {
    list: () => records,
    add: (record) => write([...records, record]),
    settle(id) {
      const rest = records.filter((record) => record.id !== id);
      // A record that stays in the file names a process that no longer runs, so the next start ignores it.
      if (!write(rest).ok) records = rest;
    },
    reap() {
      const found = file.read();
      if (!found.ok) {
        log.warn('process_ledger_unreadable', { error: found.error });
        disk.quarantine(path, clock.now());
        return;
      }
      const left = found.value?.processes ?? [];
      for (const record of left) endRecorded(record, log);
      if (left.length > 0) write([]);
    },
  };
}

/** A process of the same id with another start time is not ours; then only the marker identifies our processes. */
function endRecorded({ pid, started, marker, agentId, program }: HarnessRecord, log: Log): void {
  const isSame = started !== '' && processStart(pid) === started;
  if (isSame) log.warn('left_process_ended', { agent: agentId, program, pid });
  endTree({ leader: isSame ? pid : null, marker });
}
