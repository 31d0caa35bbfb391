import type { RuntimeKind } from '../contract/runtime-kinds.ts';
import { usage } from './terminal.ts';

/** `undefined` stays `undefined`; an invalid kind ends the command. */
export async function kindOf(value: string | undefined): Promise<RuntimeKind | undefined> {
  if (value === undefined) return undefined;
  if (value === 'cli-sandbox') throw usage('The kind cli-sandbox is reserved for a later version.');
  // Loaded on demand, because it loads the schemas.
  const { currentKindName, runtimeKinds } = await import('../contract/runtime-kinds.ts');
  const kind = runtimeKinds.find((each) => each === currentKindName(value));
  if (!kind) throw usage(`A kind is one of ${runtimeKinds.join(', ')}.`);
  return kind;
}
