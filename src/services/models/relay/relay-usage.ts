/** Reads the usage from a response while it passes, without holding it back or storing it. */
import { isRecord } from '../../../contract/is-record.ts';
import type { Usage } from '../../../core/models/messages.ts';
import type { ModelFormat } from '../../../core/runtimes/harness-ports.ts';
import { takeAnthropicUsage } from '../anthropic.ts';
import { takeCompletionsUsage } from '../completions-reader.ts';
import { takeGoogleUsage } from '../google.ts';
import { takeResponsesUsage } from '../responses-reader.ts';
import { createUsageSum, type UsageSink } from '../usage-sink.ts';

export interface UsageTap {
  push(chunk: Buffer): void;
  /** The usage that the server reported, once the response has ended or was cut. */
  end(): Usage;
  /** Bytes that passed. */
  readonly bytes: number;
}

/** Some servers repeat the whole reply in their last event. */
const maxHeldBytes = 16 * 1024 * 1024;
const newline = 0x0a;
const usageKey = '"usage';
const noBytes = Buffer.alloc(0);

export function createUsageTap(format: ModelFormat, isStream: boolean, reportsCost: boolean): UsageTap {
  const sum = createUsageSum();
  /** A started line of a stream, or all of a document. */
  let held: Buffer[] = [];
  let heldBytes = 0;
  let bytes = 0;
  const hold = (piece: Buffer): void => {
    if (piece.length === 0 || heldBytes > maxHeldBytes) return;
    held.push(piece);
    heldBytes += piece.length;
  };
  /** Empty if it holds no usage, as most events. */
  const release = (): string => {
    const all = heldBytes > maxHeldBytes ? noBytes : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return all.includes(usageKey) ? all.toString('utf8') : '';
  };
  const read = (text: string): void => takeFrom(format, text, sum, reportsCost);
  return {
    get bytes() {
      return bytes;
    },
    push(chunk) {
      bytes += chunk.length;
      const last = isStream ? chunk.lastIndexOf(newline) : -1;
      if (last < 0) {
        hold(chunk);
        return;
      }
      hold(chunk.subarray(0, last));
      for (const line of release().split('\n')) if (line.startsWith('data:')) read(line.slice(5));
      hold(chunk.subarray(last + 1));
    },
    end() {
      const rest = release();
      if (!isStream) read(rest);
      else if (rest.startsWith('data:')) read(rest.slice(5));
      return sum.value;
    },
  };
}

function takeFrom(format: ModelFormat, text: string, sum: UsageSink, reportsCost: boolean): void {
  if (!text.includes(usageKey)) return;
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return;
  }
  // Without `alt=sse`, Gemini streams one array.
  for (const each of Array.isArray(event) ? event : [event])
    if (isRecord(each)) takeUsage(format, each, sum, reportsCost);
}

function takeUsage(
  format: ModelFormat,
  event: Readonly<Record<string, unknown>>,
  sum: UsageSink,
  reportsCost: boolean,
): void {
  const inner = (name: string): unknown => {
    const value = event[name];
    return isRecord(value) ? value.usage : undefined;
  };
  switch (format) {
    case 'anthropic-messages':
      takeAnthropicUsage(sum, inner('message'));
      takeAnthropicUsage(sum, event.usage);
      break;
    case 'openai-chat':
      takeCompletionsUsage(sum, event.usage, reportsCost);
      break;
    case 'openai-responses':
      takeResponsesUsage(sum, event.usage ?? inner('response'));
      break;
    case 'gemini':
      takeGoogleUsage(sum, event.usageMetadata);
      break;
  }
}
