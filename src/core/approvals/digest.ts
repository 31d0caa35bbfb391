/**
 * Digests that bind an answer to what was shown: sha256 over canonical JSON (RFC 8785). Arguments may contain
 * values that the stricter wire form refuses (fractions, names in any script), so they use `stable-json.ts`;
 * where both forms exist, they are equal.
 */

import { englishText } from '../../language/host-message.ts';
import { utf8 } from '../lib/bytes.ts';
import { writeStable } from '../lib/stable-json.ts';
import type { GateCall } from './approval-gate.ts';

const maxDepth = 64;

/** `null` if the value is nested more than 64 levels deep. */
export function stableJson(value: unknown): string | null {
  try {
    return writeStable(value, maxDepth);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Digest of a question about a call: agent, tool, arguments, effects with their resolved targets, title and
 * location. A call with other targets has another digest. `null` if the arguments are nested too deep.
 */
export function questionDigest(
  sha256: (bytes: Uint8Array) => string,
  call: Pick<GateCall, 'agentId' | 'tool' | 'args' | 'assessment'>,
): string | null {
  const { agentId: agent, tool, args, assessment } = call;
  const title = englishText(assessment.preview.title);
  const where = englishText(assessment.preview.where);
  const text = stableJson({ v: 2, agent, tool, args, effects: assessment.effects, title, where });
  return text === null ? null : sha256(utf8(text));
}

/** Digest of agent, tool and arguments. `null` if the arguments are nested too deep. */
export function callDigest(
  sha256: (bytes: Uint8Array) => string,
  call: { readonly agentId: string; readonly tool: string; readonly args: Readonly<Record<string, unknown>> },
): string | null {
  const { agentId: agent, tool, args } = call;
  const text = stableJson({ agent, tool, args });
  return text === null ? null : sha256(utf8(text));
}
