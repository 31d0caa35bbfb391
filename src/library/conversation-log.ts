/** A conversation as lines of JSON in a file of its own: what was said, called and returned, with times. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileTimestamp } from '../core/lib/file-timestamp.ts';
import type { Clock, Random } from '../core/ports.ts';

export type ConversationRecord =
  | { readonly type: 'session_start'; readonly model: string; readonly agent?: string }
  | { readonly type: 'message'; readonly role: string; readonly content: unknown }
  | {
      readonly type: 'tool_call';
      readonly tool_type: string;
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: 'tool_result';
      readonly tool_type: string;
      readonly id: string;
      readonly name: string;
      readonly output: unknown;
      readonly is_error: boolean;
      readonly duration_ms: number;
    }
  | { readonly type: 'session_end'; readonly reason: string };

export type ConversationLog = (record: ConversationRecord) => void;

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder that `AGENTD_LOG_DIR` names, else `usual`; `null` if `AGENTD_LOG_DISABLE` is set or no folder is known. */
export function logFolder(env: Variables, usual: string | null): string | null {
  const { AGENTD_LOG_DISABLE: off = '', AGENTD_LOG_DIR: folder } = env;
  return /^(?:1|true|yes)$/i.test(off) ? null : folder || usual;
}

/** Throws if the folder or the file cannot be written. Only the owner can read it. */
export function openConversationLog(
  folder: string,
  { clock, random }: { readonly clock: Clock; readonly random: Pick<Random, 'uuid'> },
): ConversationLog {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${fileTimestamp(clock.now())}-${random.uuid().slice(0, 8)}.jsonl`);
  return (record) => {
    const line = JSON.stringify({ time: new Date(clock.now()).toISOString(), ...record });
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  };
}
