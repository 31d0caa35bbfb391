import type { RuntimeKind } from '../contract/runtime-kinds.ts';
import { commandFailure } from './terminal.ts';

/** `undefined` stays `undefined`; an invalid kind ends the command. */
export async function kindOf(value: string | undefined): Promise<RuntimeKind | undefined> {
  if (value === undefined) return undefined;
  if (value === 'cli-sandbox') throw commandFailure('invalid_input', 'cliTerminal.reservedKind');
  // Loaded on demand, because it loads the schemas.
  const { currentKindName, runtimeKinds } = await import('../contract/runtime-kinds.ts');
  const kind = runtimeKinds.find((each) => each === currentKindName(value));
  if (!kind)
    throw commandFailure('invalid_input', 'cliTerminal.unknownKind', { kinds: runtimeKinds.join(', ') });
  return kind;
}
