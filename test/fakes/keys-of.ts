/** The keys of a settings file, those inside a section as `section.key`. */
export function keysOf(value: object): string[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const inner =
      typeof member === 'object' && member !== null && !Array.isArray(member) ? keysOf(member) : [];
    return inner.length === 0 ? [key] : inner.map((sub) => `${key}.${sub}`);
  });
}
