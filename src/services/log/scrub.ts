/**
 * The second defence against secrets in logs (T18): text that looks like a key, or was registered as one, is
 * replaced before a line is written. The first defence is not to log secrets at all.
 */

const redacted = '[redacted]';

/** Members whose string value is always a secret, at any depth of the line's JSON. */
const secretMember =
  /("(?:[\w-]*(?:api[_-]?key|secret|passphrase|password|authorization|cookie|content[_-]?key)[\w-]*|token)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/** Formats of provider keys and bearer values. Each pattern is linear and capped. */
const secretShapes: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{12,400}/g,
  /\bAIza[A-Za-z0-9_-]{20,100}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,255}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{8,2000}/gi,
  // Codes and links that sign up or join, and tokens of agent programs.
  /\binv-[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\b/gi,
  /\blnk-[a-z2-9]{32}\b/gi,
  /\bkennel-model-[A-Za-z0-9_-]{40,60}/g,
  /([?&]token=|#link=)[A-Za-z0-9_-]{8,200}/g,
];

export interface Scrubber {
  scrub(line: string): string;
  /** Replaces this exact text from now on; texts under 6 characters are ignored. */
  addSecret(secret: string): void;
}

export function createScrubber(): Scrubber {
  const known = new Set<string>();
  return {
    scrub(line) {
      let clean = line.replace(secretMember, `$1"${redacted}"`);
      for (const shape of secretShapes) {
        clean = clean.replace(shape, (_match, prefix: unknown) =>
          typeof prefix === 'string' ? `${prefix}${redacted}` : redacted,
        );
      }
      for (const secret of known) clean = clean.replaceAll(secret, redacted);
      return clean;
    },
    addSecret(secret) {
      if (secret.length < 6) return;
      known.add(secret);
      // The form in a line of JSON.
      known.add(JSON.stringify(secret).slice(1, -1));
    },
  };
}
