/**
 * Builds the prompt of an `agent` step from its goal and input; untrusted content stands between marked lines
 * (T9).
 */
import { fenced } from '../../contract/fence.ts';
import { type Fence, fencedText, provenance } from './fenced-text.ts';
import type { Json, Step, TemplateScope } from './file/definition.ts';
import { type JsonValue, stringifyExact } from './pipeline/exact-json.ts';

/** `input`: `undefined` if the step has none. */
export function goalWith(
  { goal }: Pick<Extract<Step, { kind: 'agent' }>, 'goal'>,
  scope: TemplateScope,
  input: Json | undefined,
  fence: Fence,
): string {
  const { mark } = fence;
  const { text, isJustText } = fencedText(goal, scope, fence);
  if (isJustText && input === undefined) return text;
  const handed = input === undefined ? '' : `\n${fenced(mark, 'stdin', stringifyExact(input as JsonValue))}`;
  return `${text}${handed}\n${provenance(mark)}`;
}
