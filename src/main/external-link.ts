/** Decides which links the app may open in the browser or the mail program. */

export interface ExternalLink {
  readonly href: string;
  /** Shown in the confirmation: the host, or the mail address. */
  readonly place: string;
}

/**
 * Allows only `https:` and `mailto:`. A user name or password in the link is refused, because it disguises
 * the host.
 */
export function externalLink(address: string): ExternalLink | null {
  if (address.length > 2048 || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return { href: url.href, place: url.pathname };
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  return { href: url.href, place: url.host };
}
