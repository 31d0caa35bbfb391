/**
 * Selects the files of an agent to export (T18). Omitted are keys, which a bundle carries in a form of its
 * own, files that are meaningful on this machine only, and, without encryption, files that tend to hold
 * passwords.
 */
const machineOnly: readonly RegExp[] = [
  /^keys(\/|$)/,
  /^harness(\/|$)/,
  /^messages[.]db/,
  /^runtime[.]json$/,
  /^cli_session[.]json$/,
  /^[.]puffo-agent(\/|$)/,
  /^workspace\/[.]puffo-agent(\/|$)/,
  /(^|\/)[.]credentials[.]json$/,
  /[.]tmp$/,
];

const oftenSecret: readonly RegExp[] = [
  /^[.]/,
  /^mcp-config[.]json$/,
  /^workspace\/[.]puffo(\/|$)/,
  /(^|\/)[.](ssh|aws|gnupg|netrc|npmrc|pypirc|git-credentials)(\/|$)/,
  /(^|\/)[.]env([.]|$)/,
  /(^|\/)[.](mcp|claude)[.]json$/,
  /[.](pem|key|p12|pfx|keystore)$/,
];

/** macOS and Windows know a file by names in other letters, too: `Harness` is `harness` there. */
const folded = (path: string): string => path.normalize('NFKC').toLowerCase();

export const staysHere = (path: string): boolean => machineOnly.some((pattern) => pattern.test(folded(path)));

export const mayHoldSecrets = (path: string): boolean =>
  oftenSecret.some((pattern) => pattern.test(folded(path)));

/** Larger files are unlikely to hold a pasted key, and are not searched. */
const searchedBytes = 1024 * 1024;

/** `looksSecret` judges the text of one file. */
export async function holdsSecret(
  file: { readonly size: number; readonly chunks: () => AsyncIterable<Uint8Array> },
  looksSecret: (text: string) => boolean,
): Promise<boolean> {
  if (file.size > searchedBytes) return false;
  const pieces: Uint8Array[] = [];
  for await (const piece of file.chunks()) pieces.push(piece);
  return looksSecret(Buffer.concat(pieces).toString('utf8'));
}
