/** Sample runs and gates as a journal stores them, and journals in files. */
import type { GateRow, NewRun, RunRow } from '../../src/core/workflows/engine/engine-ports.ts';
import { hashText } from '../../src/core/workflows/engine/events.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import type { StoreFileOptions } from '../../src/services/db/store-file.ts';
import { openWorkflowJournal, type WorkflowJournal } from '../../src/services/db/workflow-journal.ts';
import { sha256 } from './memory-journal.ts';
import { createRecordingLog } from './recording-log.ts';

export const journalKey = new Uint8Array(32).fill(7);

export function openSampleJournal(
  path: string,
  key: Uint8Array | null,
  more: Partial<StoreFileOptions> = {},
): WorkflowJournal {
  const opened = openWorkflowJournal({
    path,
    key,
    clock: createSystemClock(),
    log: createRecordingLog(),
    ...more,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

const definitionText = (id: string): string => JSON.stringify({ of: id });
export const definitionHash = (id: string): string => hashText(sha256, definitionText(id));

export function sampleRun(id: string, more: Partial<RunRow> = {}): NewRun {
  const definition = definitionHash(id);
  const row: RunRow = {
    id,
    definition,
    idempotencyKey: null,
    status: 'running',
    createdAt: 10,
    wakeAt: 10,
    owner: null,
    ...more,
  };
  const event = { type: 'run_created', definition, children: {}, args: {}, initiatedBy: null } as const;
  return { row, definitions: [{ hash: definition, text: definitionText(id) }], event };
}

export const sampleGate = (run: string, id: string): GateRow => ({
  id,
  run,
  path: 'step',
  shortId: '0000aaaa',
  tokenHash: `token of ${id}`,
  contentHash: 'content',
  votes: 0,
  decision: null,
});
