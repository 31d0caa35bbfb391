/** Order and groups of a list, as pure functions. */

export interface GroupName {
  readonly key: string;
  readonly title: string;
}

export type ArrangedItem<T> =
  | { readonly kind: 'head'; readonly key: string; readonly title: string; readonly count: number }
  | { readonly kind: 'row'; readonly key: string; readonly row: T };

export interface Arrangement<T> {
  keyOf(item: T): string;
  /** `null` keeps the given order. */
  readonly compare: ((a: T, b: T) => number) | null;
  /** `null` for one list without headings. */
  readonly groupOf: ((item: T) => GroupName) | null;
  /** Order of the headings. */
  compareGroups(a: GroupName, b: GroupName): number;
}

export function arrange<T>(items: readonly T[], by: Arrangement<T>): readonly ArrangedItem<T>[] {
  const sorted = by.compare === null ? items : [...items].sort(by.compare);
  const row = (item: T): ArrangedItem<T> => ({ kind: 'row', key: by.keyOf(item), row: item });
  if (by.groupOf === null) return sorted.map(row);
  const groups = new Map<string, { readonly name: GroupName; readonly rows: T[] }>();
  for (const item of sorted) {
    const name = by.groupOf(item);
    const group = groups.get(name.key) ?? { name, rows: [] };
    group.rows.push(item);
    groups.set(name.key, group);
  }
  return [...groups.values()]
    .sort((a, b) => by.compareGroups(a.name, b.name))
    .flatMap(({ name, rows }) => [
      { kind: 'head', key: `group ${name.key}`, title: name.title, count: rows.length } as const,
      ...rows.map(row),
    ]);
}

/** Latest first, and equal ones in the order of the second comparison. */
export const byLatest =
  <T>(at: (item: T) => number, otherwise: (a: T, b: T) => number) =>
  (a: T, b: T): number =>
    at(b) - at(a) || otherwise(a, b);

interface Spent {
  readonly usd: number | null;
  readonly tokens: number;
}

/** The most dollars first, then the most tokens. */
export const bySpend =
  <T>(spent: (item: T) => Spent, otherwise: (a: T, b: T) => number) =>
  (a: T, b: T): number => {
    const [one, two] = [spent(a), spent(b)];
    return (two.usd ?? 0) - (one.usd ?? 0) || two.tokens - one.tokens || otherwise(a, b);
  };
