import { join } from 'node:path';
import { z } from 'zod';
import { isRecord } from '../../contract/is-record.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { McpEraCache, McpToolDefinition } from '../../core/mcp/mcp-ports.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { recordFile } from '../stores/record-file.ts';

const definitionSchema = z.custom<McpToolDefinition>(
  (value) => isRecord(value) && typeof value.name === 'string' && isRecord(value.inputSchema),
);
const pinSchema = z.object({ hash: z.string(), definition: definitionSchema }).readonly();

const recordSchema = z.object({
  version: z.literal(1),
  /** Of the server; the file name is its digest. */
  key: z.string(),
  /** Hash of the accepted command line or address; `null` if none was accepted. */
  accepted: z.string().nullable(),
  /** Hash of what the operator refused last. */
  refused: z.string().nullable(),
  /** The accepted definition of each tool; `null` if the server never listed them. */
  tools: z.array(pinSchema).readonly().nullable(),
  /** Whether it had resources when it ran last. */
  hasResources: z.boolean(),
  hasPrompts: z.boolean().default(false),
  /** Digest of the changes that the operator refused last. */
  refusedTools: z.string().nullable(),
  /** Verdict about the protocol era, of the server as it was accepted with this hash. */
  era: z.object({ accepted: z.string(), verdict: z.string() }).nullable().default(null),
  /** ms since the epoch. */
  at: z.number(),
});
export type ServerRecord = Omit<z.output<typeof recordSchema>, 'version'>;
export type ToolPin = z.output<typeof pinSchema>;

/** Accepted parts of each server: its command and the definitions of its tools. */
export interface ServerRecords {
  read(key: string): Result<ServerRecord>;
  change(key: string, change: Partial<Omit<ServerRecord, 'key' | 'at'>>): Result<ServerRecord>;
  forget(key: string): Result<void>;
}

/** Keeps verdicts in the records; one of another command or address does not count. */
export const createEraCache = (records: ServerRecords): McpEraCache => ({
  read(id) {
    const record = records.read(id);
    if (!record.ok) return null;
    const { era, accepted } = record.value;
    return era && era.accepted === accepted ? era.verdict : null;
  },
  write(id, verdict) {
    const record = records.read(id);
    if (!record.ok) return;
    const { accepted, era } = record.value;
    const isSame = verdict === (era?.verdict ?? null);
    // A verdict that is not kept costs a probe.
    if (accepted !== null && !isSame)
      records.change(id, { era: verdict === null ? null : { accepted, verdict } });
  },
});

const fileName = (key: string): string => `${sha256Hex(key).slice(0, 32)}.json`;

export function createServerRecords(disk: DiskPort, folder: string, clock: Clock): ServerRecords {
  const known = new Map<string, ServerRecord>();
  const fileOf = (key: string) => recordFile(disk, join(folder, fileName(key)), recordSchema);
  const read = (key: string): Result<ServerRecord> => {
    const cached = known.get(key);
    if (cached) return ok(cached);
    const found = fileOf(key).read();
    if (!found.ok) return found;
    const empty = {
      key,
      accepted: null,
      refused: null,
      tools: null,
      hasResources: false,
      hasPrompts: false,
      refusedTools: null,
      era: null,
      at: 0,
    };
    const { version: _, ...record } = found.value ?? { version: 1, ...empty };
    known.set(key, record);
    return ok(record);
  };
  return {
    read,
    change(key, change) {
      const before = read(key);
      if (!before.ok) return before;
      const record = { ...before.value, ...change, at: clock.now() };
      const written = fileOf(key).write({ version: 1, ...record });
      if (!written.ok) return written;
      known.set(key, record);
      return ok(record);
    },
    forget(key) {
      known.delete(key);
      return fileOf(key).remove();
    },
  };
}
