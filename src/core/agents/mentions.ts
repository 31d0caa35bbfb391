/**
 * Finds `@slug` mentions as whole slugs: `@bob-1` is no mention in `@bob-12`, `@bob-1-x` or `a@bob-1` (spec
 * §6.3).
 */

const mention = /(^|[^A-Za-z0-9_-])@([A-Za-z0-9][A-Za-z0-9_-]*)/g;

/** Every mentioned slug once, in order of appearance, exactly as written. */
export function mentionedSlugs(text: string): readonly string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(mention)) {
    const slug = match[2];
    if (slug !== undefined) found.add(slug);
  }
  return [...found];
}

export const mentions = (text: string, slug: string): boolean => mentionedSlugs(text).includes(slug);

/** Own mentions become `@you(<slug>)`, so that the model recognises its own name (spec §3.5). */
export function markOwnMentions(text: string, slug: string): string {
  return text.replace(mention, (whole, before: string, found: string) =>
    found === slug ? `${before}@you(${slug})` : whole,
  );
}
