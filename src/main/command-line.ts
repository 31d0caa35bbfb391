/**
 * `--cli ...` on the packaged app: runs the `kennel` command as a client of the running host, without a
 * window.
 */

interface CommandModule {
  runMain(argv: readonly string[], version: string): Promise<number>;
}

/** Returns the arguments after `--cli`, or `null` without it; after `--` another program chose the arguments. */
export function cliArguments(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--cli');
  const end = argv.indexOf('--');
  return at < 0 || (end >= 0 && end < at) ? null : argv.slice(at + 1);
}

/** `entry` is the URL of the bundled command, which targets Node and is loaded only here. */
export async function runCommandLine(
  entry: string,
  words: readonly string[],
  version: string,
): Promise<number> {
  const { runMain } = (await import(/* @vite-ignore */ entry)) as CommandModule;
  return runMain(words, version);
}
