/**
 * Computes the hash that a run, its gates and its tokens are bound to: it covers what a workflow does, not
 * its formatting.
 */
import { stableJson } from '../../approvals/digest.ts';
import { assert } from '../../lib/assert.ts';
import { utf8 } from '../../lib/bytes.ts';
import type { WorkflowDefinition } from './definition.ts';

/**
 * Canonical text of a definition: sorted names, no blanks. Comments, field order and spelling do not change
 * it.
 */
export function definitionText(definition: WorkflowDefinition): string {
  const text = stableJson(definition);
  // The parser refuses files nested half as deep.
  assert(text !== null, 'a definition is never nested that deep');
  return text;
}

export function definitionHash(
  sha256: (bytes: Uint8Array) => string,
  definition: WorkflowDefinition,
): string {
  return sha256(utf8(definitionText(definition)));
}
