import { type RuntimeKind, runtimeKindSchema } from '../contract/model.ts';
import { usage } from './terminal.ts';

/** Former names of puffo-agent (spec §5). */
const oldKinds: Readonly<Record<string, string>> = { 'chat-only': 'chat-local', sdk: 'sdk-local' };

/** `undefined` stays `undefined`; an invalid kind ends the command. */
export function kindOf(value: string | undefined): RuntimeKind | undefined {
  if (value === undefined) return undefined;
  if (value === 'cli-sandbox') throw usage('The kind cli-sandbox is reserved for a later version.');
  const kind = runtimeKindSchema.safeParse(Object.hasOwn(oldKinds, value) ? oldKinds[value] : value);
  if (!kind.success) throw usage(`A kind is one of ${runtimeKindSchema.options.join(', ')}.`);
  return kind.data;
}
