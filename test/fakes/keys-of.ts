/** Returns the keys of a settings file; a key inside a section is `section.key`. */
export function keysOf(value: object): string[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const inner =
      typeof member === 'object' && member !== null && !Array.isArray(member) ? keysOf(member) : [];
    return inner.length === 0 ? [key] : inner.map((sub) => `${key}.${sub}`);
  });
}
