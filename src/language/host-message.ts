/**
 * Texts of the host. A message names a template of the catalogs and its values, so that the reader's side renders
 * it in the reader's language. It carries its English text for logs, agents and readers without a catalog.
 */

export type HostValues = Readonly<Record<string, HostValue>>;
export type HostValue = string | number | HostMessage | readonly HostText[];

/** Names a template, such as `tasks.notFound`, and the values of its slots. */
export interface MessageRef {
  readonly key: string;
  readonly values?: HostValues | undefined;
}

export interface HostMessage extends MessageRef {
  /** The message in English. */
  readonly text: string;
}

/** A string is text that no catalog has: output of programs, words of people, rows of older versions. */
export type HostText = string | HostMessage;

/** The text as a message, if the reference to its template is known. */
export const withRef = (text: string, ref: MessageRef | undefined): HostText =>
  ref === undefined ? text : { ...ref, text };

export type Templates = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The template of a key such as `tasks.notFound`. */
export function findTemplate(catalog: Templates | null, key: string): string | undefined {
  const [area = '', name = ''] = key.split('.');
  return catalog?.[area]?.[name];
}

export const englishText = (text: HostText): string => (typeof text === 'string' ? text : text.text);

/**
 * `{name}`, `{count, number}`, `{price, dollars}`, `{count|step|steps}`. Slots may not contain braces; other text in
 * braces stays as it is.
 */
const slot = /\{(\w+)(?:, (number|dollars)|\|([^{}|]*)\|([^{}|]*))?\}/g;
/** A slot at the end of a sentence: its full stop is left out after a value that ends with one, or with `?` or `!`. */
const slotAndStop = new RegExp(`${slot.source}(\\.(?=\\s|$))?`, 'g');

export const slotNames = (template: string): string[] => [
  ...new Set([...template.matchAll(slot)].map(([, name = '']) => name)),
];

function formatDollars(amount: number, locale: string): string {
  const size = Math.abs(amount);
  const [least, most] = amount !== 0 && size < 0.01 ? [4, 4] : [2, size < 0.1 ? 3 : 2];
  return amount.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });
}

/** Fills the slots of a template; `render` turns the messages among the values into text. */
export function fillSlots(
  template: string,
  values: HostValues,
  locale: string,
  render: (text: HostText) => string,
): string {
  const show = (value: HostValue): string => {
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' || 'key' in value) return render(value);
    return new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale).format(value.map(render));
  };
  const fill = (value: HostValue, format?: string, one?: string, other?: string): string => {
    if (one !== undefined) return (Number(value) === 1 ? one : other) ?? '';
    if (format === 'number') return Number(value).toLocaleString(locale);
    return format === 'dollars' ? formatDollars(Number(value), locale) : show(value);
  };
  return template.replace(slotAndStop, (...found: (string | undefined)[]) => {
    const [whole = '', name = '', format, one, other, stop = ''] = found;
    const value = values[name];
    if (value === undefined) return whole;
    const text = fill(value, format, one, other);
    return /[.!?]$/.test(text) ? text : `${text}${stop}`;
  });
}

/**
 * The text by a catalog, in English if the catalog lacks it. A plain string stays as it is, even if it reads like a
 * sentence of the host (T8).
 */
export function renderText(text: HostText, catalog: Templates | null, locale: string): string {
  if (typeof text === 'string') return text;
  const template = findTemplate(catalog, text.key);
  if (template === undefined) return text.text;
  return fillSlots(template, text.values ?? {}, locale, (value) => renderText(value, catalog, locale));
}

type Catalog = Readonly<Record<string, object>>;

/** The keys of a catalog, such as `tasks.unknownTask`. */
export type KeyIn<Texts extends Catalog> = {
  [Area in keyof Texts & string]: `${Area}.${keyof Texts[Area] & string}`;
}[keyof Texts & string];

type TemplateIn<Texts extends Catalog, Key> = Key extends `${infer Area}.${infer Name}`
  ? Area extends keyof Texts
    ? Name extends keyof Texts[Area]
      ? Texts[Area][Name]
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
export type ValuesIn<Texts extends Catalog, Key> = {
  readonly [Name in SlotNames<TemplateIn<Texts, Key>> & string]: HostValue;
};

/** Omits values without a slot, since the texts of one error share their values. */
export function makeMessage(english: Templates, key: string, all: HostValues = {}): HostMessage {
  const template = findTemplate(english, key) ?? key;
  const used = slotNames(template).flatMap((name) => {
    const value = all[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const values = Object.fromEntries(used);
  const text = fillSlots(template, values, 'en', englishText);
  return used.length === 0 ? { key, text } : { key, values, text };
}
