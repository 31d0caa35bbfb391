import type { RuntimeKind } from '../contract/runtime-kinds.ts';
import { usageError } from './terminal.ts';

/** `undefined` stays `undefined`; an invalid kind ends the command. */
export async function kindOf(value: string | undefined): Promise<RuntimeKind | undefined> {
  if (value === undefined) return undefined;
  if (value === 'cli-sandbox') throw usageError('The kind cli-sandbox is reserved for a later version.');
  // Loaded on demand, because it loads the schemas.
  const { currentKindName, runtimeKinds } = await import('../contract/runtime-kinds.ts');
  const kind = runtimeKinds.find((each) => each === currentKindName(value));
  if (!kind) throw usageError(`A kind is one of ${runtimeKinds.join(', ')}.`);
  return kind;
}
