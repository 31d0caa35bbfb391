/**
 * Which files of an agent travel (T18). Left behind are keys, which a bundle carries in a form of its own, what only
 * means something on this machine, and, where nothing is encrypted, what tends to hold passwords.
 */
const machineOnly: readonly RegExp[] = [
  /^keys(\/|$)/,
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

export const staysHere = (path: string): boolean => machineOnly.some((pattern) => pattern.test(path));

export const mayHoldSecrets = (path: string): boolean => oftenSecret.some((pattern) => pattern.test(path));

/** Larger files are no place for a pasted key, and are not searched. */
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
