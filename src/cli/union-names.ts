/** All members of a union of texts; the compiler checks that none is missing. */
export const namesOf = <T extends string>(names: Readonly<Record<T, true>>): readonly T[] =>
  Object.keys(names) as T[];
