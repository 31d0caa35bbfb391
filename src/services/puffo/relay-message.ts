/** Texts that a relay of Kennel sends with their key, so that they are shown in the reader's language. */
import { z } from 'zod';
import { hostEnglish } from '../../language/english/host.ts';
import { type HostMessage, type HostValue, makeMessage, slotNames } from '../../language/host-message.ts';

const longestValue = 300;

const plain = z.union([z.string().max(longestValue), z.number()]);
const noun = z.looseObject({ key: z.string() });
const saidSchema = z.object({ key: z.string(), values: z.record(z.string(), z.unknown()).default({}) });

/** The English template; a server may only choose among the texts of relays (T8). */
function templateOf(key: string): string | null {
  const [area, name = ''] = key.split('.');
  const { relay } = hostEnglish;
  return area === 'relay' && Object.hasOwn(relay, name) ? relay[name as keyof typeof relay] : null;
}

function readValue(raw: unknown): HostValue | null {
  const text = plain.safeParse(raw);
  if (text.success) return text.data;
  const named = noun.safeParse(raw);
  if (!named.success || templateOf(named.data.key) === null) return null;
  return makeMessage(hostEnglish, named.data.key);
}

/** Returns `null` if the text is not one of a relay, or a value is missing. */
export function relayMessage(raw: unknown): HostMessage | null {
  const said = saidSchema.safeParse(raw);
  const template = said.success ? templateOf(said.data.key) : null;
  if (!said.success || template === null) return null;
  const values = slotNames(template).map((name) => [name, readValue(said.data.values[name])] as const);
  if (values.some(([, value]) => value === null)) return null;
  return makeMessage(hostEnglish, said.data.key, Object.fromEntries(values) as Record<string, HostValue>);
}
