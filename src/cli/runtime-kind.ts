import { currentKindName, type RuntimeKind, runtimeKindSchema } from '../contract/runtime-kinds.ts';
import { usage } from './terminal.ts';

/** `undefined` stays `undefined`; an invalid kind ends the command. */
export function kindOf(value: string | undefined): RuntimeKind | undefined {
  if (value === undefined) return undefined;
  if (value === 'cli-sandbox') throw usage('The kind cli-sandbox is reserved for a later version.');
  const kind = runtimeKindSchema.safeParse(currentKindName(value));
  if (!kind.success) throw usage(`A kind is one of ${runtimeKindSchema.options.join(', ')}.`);
  return kind.data;
}
