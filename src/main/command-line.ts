/** `--cli ...` on the packaged app: the `kennel` command as a client of the running host, without a window. */

interface CommandModule {
  runMain(argv: readonly string[], version: string): Promise<number>;
}

/** The words after `--cli`, or null when the app was started as an app. */
export function commandWords(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--cli');
  return at < 0 ? null : argv.slice(at + 1);
}

/** `entry` is the address of the bundled command, which is made for Node and loaded only here. */
export async function runCommandLine(
  entry: string,
  words: readonly string[],
  version: string,
): Promise<number> {
  const { runMain } = (await import(/* @vite-ignore */ entry)) as CommandModule;
  return runMain(words, version);
}
