/** Makes a typed message of the host: `say('tasks.unknownTask', { id })`. */
import { hostEnglish } from './english/host.ts';
import {
  englishText,
  findTemplate,
  type HostMessage,
  type HostValue,
  type HostValues,
  renderTemplate,
  slotNames,
} from './host-message.ts';

type HostEnglish = typeof hostEnglish;

export type HostKey = {
  [Area in keyof HostEnglish & string]: `${Area}.${keyof HostEnglish[Area] & string}`;
}[keyof HostEnglish & string];

type Template<Key> = Key extends `${infer Area}.${infer Name}`
  ? Area extends keyof HostEnglish
    ? Name extends keyof HostEnglish[Area]
      ? HostEnglish[Area][Name]
      : never
    : never
  : never;

type SlotName<Slot> = Slot extends `${infer Name}, ${string}`
  ? Name
  : Slot extends `${infer Name}|${string}`
    ? Name
    : Slot extends `${string} ${string}`
      ? never
      : Slot;

type SlotNames<Text> = Text extends `${string}{${infer Slot}}${infer Rest}`
  ? SlotName<Slot> | SlotNames<Rest>
  : never;

/** The values that the template of a key needs. */
export type ValuesFor<Key> = { readonly [Name in SlotNames<Template<Key>> & string]: HostValue };

/** Omits values without a slot, since the texts of one error share their values. */
export function say<Key extends HostKey>(
  key: Key,
  ...[given]: keyof ValuesFor<Key> extends never ? [values?: HostValues] : [values: ValuesFor<Key>]
): HostMessage {
  const template = findTemplate(hostEnglish, key) ?? key;
  const all: HostValues = given ?? {};
  const used = slotNames(template).flatMap((name) => {
    const value = all[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const values = Object.fromEntries(used);
  const text = renderTemplate(template, values, 'en', englishText);
  return used.length === 0 ? { key, text } : { key, values, text };
}
