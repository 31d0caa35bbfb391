/** The hash that a run, its gates and its tokens are bound to: over what a workflow does, not over how it is written. */
import { stableJson } from '../../approvals/digest.ts';
import { assert } from '../../lib/assert.ts';
import { utf8 } from '../../lib/bytes.ts';
import type { WorkflowDefinition } from './definition.ts';

/** The one text form of a definition: names sorted, no blanks. Comments, order of fields and spellings leave it alone. */
export function definitionText(definition: WorkflowDefinition): string {
  const text = stableJson(definition);
  // The reading refuses files nested half as deep.
  assert(text !== null, 'a definition is never nested that deep');
  return text;
}

export function definitionHash(
  sha256: (bytes: Uint8Array) => string,
  definition: WorkflowDefinition,
): string {
  return sha256(utf8(definitionText(definition)));
}
