/**
 * An in-memory journal that tests can kill before a write (nothing is kept) or after it (all is kept), or
 * make reject writes like a full disk.
 */
import { createHash } from 'node:crypto';
import { textError } from '../../src/contract/errors.ts';
import { err, ok } from '../../src/contract/result.ts';
import { StoreError } from '../../src/core/lib/store-error.ts';
import {
  eventsIn,
  type GateChange,
  type GateRow,
  type HeldEvent,
  type Journal,
  type RunRow,
  type RunToBe,
} from '../../src/core/workflows/engine/engine-ports.ts';
import {
  type ChainHead,
  chainRows,
  chainStart,
  type EventRow,
} from '../../src/core/workflows/engine/events.ts';

/** Simulates a killed process. */
export class Killed extends Error {}

export interface MemoryJournal extends Journal {
  /** Number of writes so far, of all engines. */
  writes(): number;
  /** Kills the engine at this write; every later call of the killed engine fails too. */
  killAt(write: number, when: 'before' | 'after'): void;
  /** Rejects this write and the following ones, `times` in all, like a full disk; the engine stays alive. */
  refuse(write: number, times: number): void;
  /** Drops all content stored apart from the rows. */
  lose(what: 'blobs' | 'definitions'): void;
  dead(): boolean;
  /** Simulates a new process on the same file. */
  restart(): void;
}

export const sha256 = (data: Uint8Array | string): Uint8Array =>
  Uint8Array.from(createHash('sha256').update(data).digest());

const finished: readonly string[] = ['ok', 'failed', 'cancelled'];

export function createMemoryJournal(): MemoryJournal {
  const runs = new Map<string, RunRow>();
  const rows = new Map<string, EventRow[]>();
  const heads = new Map<string, ChainHead>();
  const gates = new Map<string, GateRow>();
  const blobs = new Map<string, string>();
  const definitions = new Map<string, string>();
  const values = new Map<string, string>();
  let writes = 0;
  let kill: { readonly write: number; readonly when: 'before' | 'after' } | null = null;
  let full = { from: 0, to: 0 };
  let dead = false;

  const die = (): never => {
    dead = true;
    throw new Killed('killed');
  };
  const transaction = <T>(work: () => T): T => {
    if (dead) return die();
    writes += 1;
    if (kill?.write === writes && kill.when === 'before') return die();
    if (writes >= full.from && writes < full.to) throw new StoreError('disk_full', 'The disk is full.');
    const done = work();
    if (kill?.write === writes) return die();
    return done;
  };
  const read = <T>(work: () => T): T => (dead ? die() : work());

  const changed = (change: GateChange, opened: ReadonlyMap<string, GateRow>): GateRow | null => {
    if (change.type === 'open') return change.row;
    const row = opened.get(change.gate) ?? gates.get(change.gate);
    if (!row || row.decision !== null) return null;
    if (change.type === 'token') return { ...row, tokenHash: change.tokenHash };
    if (change.tokenHash !== null && change.tokenHash !== row.tokenHash) return null;
    if (change.contentHash !== row.contentHash || change.votes !== row.votes) return null;
    const votes = row.votes + (change.decision === null ? 1 : 0);
    return { ...row, votes, tokenHash: change.nextTokenHash, decision: change.decision };
  };
  const chain = (run: string, events: readonly HeldEvent[]): readonly EventRow[] => {
    const added = chainRows(sha256, run, heads.get(run) ?? chainStart(sha256, run), events);
    const held = [...(rows.get(run) ?? []), ...added.rows];
    rows.set(run, held);
    heads.set(run, added.head);
    return held;
  };
  const addRun = ({ row, definitions: texts }: RunToBe): void => {
    for (const { hash, text } of texts) definitions.set(hash, text);
    runs.set(row.id, row);
  };
  const conflict = () => err(textError('conflict', 'This was decided before, or by another program.'));

  return {
    writes: () => writes,
    killAt(write, when) {
      kill = { write, when };
    },
    refuse(write, times) {
      full = { from: write, to: write + times };
    },
    lose: (what) => (what === 'blobs' ? blobs : definitions).clear(),
    dead: () => dead,
    restart() {
      kill = null;
      dead = false;
      full = { from: 0, to: 0 };
    },
    create: (run) =>
      transaction(() => {
        const { idempotencyKey, id, createdAt } = run.row;
        const before = [...runs.values()].find(
          (row) => idempotencyKey !== null && row.idempotencyKey === idempotencyKey,
        );
        if (before) return before;
        if (run.tells && !runs.has(run.tells.run)) throw new StoreError('corrupt', 'There is no such run.');
        addRun(run);
        chain(id, [{ at: createdAt, event: run.event }]);
        if (run.tells) chain(run.tells.run, [{ at: createdAt, event: run.tells.event }]);
        return run.row;
      }),
    run: (id) => read(() => runs.get(id) ?? null),
    runs: ({ status, limit }) =>
      read(() =>
        [...runs.values()]
          .filter((row) => status === undefined || row.status === status)
          .reverse()
          .slice(0, limit),
      ),
    due: (now) =>
      read(() =>
        [...runs.values()].filter(
          (row) =>
            !finished.includes(row.status) &&
            (row.status === 'running' || (row.wakeAt !== null && row.wakeAt <= now)),
        ),
      ),
    events: (run, afterSeq, limit) =>
      read(() => (rows.get(run) ?? []).filter(({ seq }) => seq > afterSeq).slice(0, limit)),
    append: (write) =>
      transaction(() => {
        const row = write.creates?.row ?? runs.get(write.run);
        if (!row || (write.owner !== undefined && row.owner !== write.owner)) return conflict();
        const last = rows.get(write.run)?.at(-1)?.seq ?? 0;
        if (write.standing && !write.standing.includes(row.status)) return conflict();
        if (write.exact && last !== write.afterSeq) return conflict();
        if (write.owner !== undefined && write.afterSeq > last) return conflict();
        const changes = new Map<string, GateRow>();
        for (const change of write.gates ?? []) {
          const row = changed(change, changes);
          if (!row) return conflict();
          changes.set(row.id, row);
        }
        if (write.creates) addRun(write.creates);
        for (const gate of changes.values()) gates.set(gate.id, gate);
        for (const { hash, text } of write.blobs ?? []) blobs.set(hash, text);
        const held = chain(write.run, eventsIn(write));
        const status = write.status ?? row.status;
        const wakeAt = write.wakeAt === undefined ? row.wakeAt : write.wakeAt;
        runs.set(write.run, { ...row, status, wakeAt, owner: write.release ? null : row.owner });
        return ok(held.filter(({ seq }) => seq > write.afterSeq));
      }),
    claim: (run, expected, owner) =>
      transaction(() => {
        const row = runs.get(run);
        if (!row || row.owner !== expected) return false;
        runs.set(run, { ...row, owner });
        return true;
      }),
    definition: (hash) => read(() => definitions.get(hash) ?? null),
    blob: (hash) => read(() => blobs.get(hash) ?? null),
    gate: (id) => read(() => gates.get(id) ?? null),
    gateByToken: (hash) => read(() => [...gates.values()].find((row) => row.tokenHash === hash) ?? null),
    gateByShortId: (shortId) =>
      read(() => {
        const [row, second] = [...gates.values()].filter((one) => one.shortId === shortId && !one.decision);
        return row && !second ? row : null;
      }),
    openGates: (run) =>
      read(() => [...gates.values()].filter((row) => !row.decision && (!run || row.run === run))),
    value: (key) => read(() => values.get(key) ?? null),
    setValue: (key, text) => transaction(() => void values.set(key, text)),
  };
}
