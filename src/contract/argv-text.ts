/** Quotes arguments that could be mistaken for several or none. */
export const argvText = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');

/**
 * Splits a typed command line at spaces outside of quotes; `null` if a quote has no end. Nothing is expanded,
 * and a backslash is an ordinary character, so that paths of Windows stay whole.
 */
export function splitArgv(text: string): readonly string[] | null {
  const argv: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [word] = /^(?:"[^"]*"|'[^']*'|[^\s"'])+(?=\s|$)/.exec(rest) ?? [];
    if (word === undefined) return null;
    argv.push(
      word.replaceAll(
        /"([^"]*)"|'([^']*)'/g,
        (_, double?: string, single?: string) => double ?? single ?? '',
      ),
    );
    rest = rest.slice(word.length).trimStart();
  }
  return argv;
}
