/**
 * Translates sentences of the host. The English sentence is the key, as in gettext: a template such as `There
 * is no agent "{id}".` is matched against the text to extract its values. Stored and transmitted data
 * therefore stay English, and so does an unknown sentence. `{name}` matches any non-empty text; `{=name}`
 * must itself be a known sentence; `{~name}` is translated if known.
 */
export type HostSentences = Readonly<Record<string, string>>;

interface Slot {
  readonly name: string;
  readonly kind: '' | '=' | '~';
}

interface Template {
  /** One more than `slots`: the text before, between and after them. */
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
  readonly german: string;
  /** Number of fixed characters; of several matching templates the one with the most wins. */
  readonly weight: number;
}

/** Longer texts are output of programs rather than sentences of the host, so they are not matched. */
const longest = 2_000;
const kept = 500;
const nestedAtMost = 4;

const rowAtMost = 4;
const betweenSentences = /(?<=[.!?]) (?=\p{Lu})/u;

const hole = /\{([=~]?)(\w+)\}/g;

export function parseSentence(english: string, german: string): Template {
  const literals: string[] = [];
  const slots: Slot[] = [];
  let at = 0;
  for (const found of english.matchAll(hole)) {
    literals.push(english.slice(at, found.index));
    slots.push({ kind: (found[1] ?? '') as Slot['kind'], name: found[2] ?? '' });
    at = found.index + found[0].length;
  }
  literals.push(english.slice(at));
  return { literals, slots, german, weight: literals.join('').length };
}

/**
 * Returns the values in order, each the shortest that lets the rest match, or `null` if the template does not
 * match.
 */
function valuesIn({ literals, slots }: Template, text: string): readonly string[] | null {
  const [first = ''] = literals;
  const last = literals.at(-1) ?? '';
  if (slots.length === 0) return text === first ? [] : null;
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = text.indexOf(literal, at + 1);
    if (found < 0 || found >= end) return null;
    values.push(text.slice(at, found));
    at = found + literal.length;
  }
  return at < end ? [...values, text.slice(at, end)] : null;
}

const fill = (german: string, values: ReadonlyMap<string, string>): string =>
  german.replace(hole, (whole, _kind, name: string) => values.get(name) ?? whole);

/** Number formats of the host, such as `12,345` and `$0.50`. */
const count = /^\d{1,3}(,\d{3})+$/;
const dollars = /^\$(\d+(\.\d+)?)$/;

function figure(text: string, locale: string): string {
  if (count.test(text)) return Number(text.replaceAll(',', '')).toLocaleString(locale);
  const sum = dollars.exec(text)?.[1];
  if (sum === undefined) return text;
  const digits = sum.split('.')[1]?.length ?? 0;
  return Number(sum).toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

interface Said {
  readonly text: string;
  readonly weight: number;
}

/** Returns a function that translates a text by the table, or returns `null` if it is unknown. */
export function createHostReader(table: HostSentences, locale: string): (text: string) => string | null {
  const templates = Object.entries(table).map(([english, german]) => parseSentence(english, german));
  const fixed = new Map(
    templates.flatMap((one) => (one.slots.length === 0 ? [[one.literals[0], one.german]] : [])),
  );
  const open = templates.filter(({ slots }) => slots.length > 0);
  const known = new Map<string, string | null>();

  /** Applies one template; `weight` counts the fixed characters in it and in its nested sentences. */
  const say = (template: Template, text: string, depth: number): Said | null => {
    const found = valuesIn(template, text);
    if (found === null) return null;
    const values = new Map<string, string>();
    let { weight } = template;
    for (const [index, { name, kind }] of template.slots.entries()) {
      const value = found[index] ?? '';
      const said = kind === '' ? null : read(value, depth + 1);
      if (said === null && kind === '=') return null;
      weight += said?.weight ?? 0;
      values.set(name, said?.text ?? figure(value, locale));
    }
    return { text: fill(template.german, values), weight };
  };
  const read = (text: string, depth: number): Said | null => {
    const whole = fixed.get(text);
    if (whole !== undefined) return { text: whole, weight: text.length };
    if (depth > nestedAtMost) return null;
    let best: Said | null = null;
    for (const template of open) {
      const said = say(template, text, depth);
      if (said !== null && said.weight > (best?.weight ?? 0)) best = said;
    }
    return best ?? inRow(text, depth);
  };
  /** Several sentences in a row, if all of them are known. */
  const inRow = (text: string, depth: number): Said | null => {
    const sentences = text.split(betweenSentences);
    if (sentences.length < 2 || sentences.length > rowAtMost) return null;
    const said = sentences.flatMap((one) => read(one, depth + 1) ?? []);
    if (said.length < sentences.length) return null;
    return { text: said.map((one) => one.text).join(' '), weight: 0 };
  };
  return (text) => {
    if (text === '' || text.length > longest) return null;
    const before = known.get(text);
    if (before !== undefined) return before;
    const said = read(text, 0)?.text ?? null;
    if (known.size >= kept) known.clear();
    known.set(text, said);
    return said;
  };
}
