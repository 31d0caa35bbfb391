/** Texts that a relay of Kennel sends with their key, so that they are shown in the reader's language. */
import { z } from 'zod';
import { hostEnglish } from '../../language/english/host.ts';
import { type HostMessage, type HostValue, makeMessage, slotNames } from '../../language/host-message.ts';

const longestValue = 300;

const plain = z.union([z.string().max(longestValue), z.number()]);
const saidSchema = z.object({ key: z.string(), values: z.record(z.string(), z.unknown()).default({}) });

/** The English template; a server may only choose among the texts of relays and of fields (T8). */
function templateOf(key: string): string | null {
  const [area, name = ''] = key.split('.');
  if (area !== 'relay' && area !== 'fields') return null;
  const texts: Readonly<Record<string, string>> = hostEnglish[area];
  return Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;
}

const mostNested = 3;

function readValue(raw: unknown, depth: number): HostValue | null {
  const text = plain.safeParse(raw);
  return text.success ? text.data : depth < mostNested ? readMessage(raw, depth + 1) : null;
}

function readMessage(raw: unknown, depth: number): HostMessage | null {
  const said = saidSchema.safeParse(raw);
  const template = said.success ? templateOf(said.data.key) : null;
  if (!said.success || template === null) return null;
  const values = slotNames(template).map((name) => [name, readValue(said.data.values[name], depth)] as const);
  if (values.some(([, value]) => value === null)) return null;
  return makeMessage(hostEnglish, said.data.key, Object.fromEntries(values) as Record<string, HostValue>);
}

/** Returns `null` if the text is not one that a relay sends, or a value is missing. */
export const relayMessage = (raw: unknown): HostMessage | null => readMessage(raw, 0);
