/** Filters typed among the words of a search, such as `from:guide`, in English or German. */

export interface SearchFilters {
  /** The words without the filters. */
  readonly words: string;
  readonly from?: string;
  readonly room?: string;
  /** Days in UTC as ms since the epoch: sent before the first, and from the second on. */
  readonly sentBefore?: number;
  readonly sentFrom?: number;
  readonly hasFile: boolean;
}

const names = {
  from: 'from',
  von: 'from',
  in: 'room',
  before: 'sentBefore',
  vor: 'sentBefore',
  after: 'sentFrom',
  ab: 'sentFrom',
  has: 'has',
  mit: 'has',
} as const;

/** A phrase in quotes, which is no filter, or a filter. */
const phraseOrFilter = new RegExp(
  `"[^"]*"|(?<!\\S)(${Object.keys(names).join('|')}):(?:"([^"]*)"|([^\\s"]+))\\s*`,
  'giu',
);

function dayOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  // A day that does not exist, such as February 30, would become another one.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : at;
}

/** Something that only looks like a filter, such as `before:lunch`, stays a word. */
export function readSearch(typed: string): SearchFilters {
  const found: { -readonly [K in keyof Omit<SearchFilters, 'words'>]: SearchFilters[K] } = { hasFile: false };
  const words = typed.replace(phraseOrFilter, (whole, name?: string, quoted?: string, plain?: string) => {
    if (name === undefined) return whole;
    const key = names[name.toLowerCase() as keyof typeof names];
    const value = (quoted ?? plain ?? '').trim();
    if (value === '') return whole;
    if (key === 'from' || key === 'room') found[key] = value;
    else if (key === 'has') {
      if (!/^(file|datei)$/i.test(value)) return whole;
      found.hasFile = true;
    } else {
      const day = dayOf(value);
      if (day === null) return whole;
      found[key] = day;
    }
    return '';
  });
  return { ...found, words: words.trim() };
}
