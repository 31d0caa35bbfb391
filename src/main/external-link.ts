/** Decides which addresses may leave the app for the person's browser or mail program. */

export interface ExternalLink {
  readonly href: string;
  /** What the question names: the host, or the mail address. */
  readonly place: string;
}

/** Only https and mailto; no user name or password in the address (it disguises the host). */
export function externalLink(address: string): ExternalLink | null {
  if (address.length > 2048 || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return { href: url.href, place: url.pathname };
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  return { href: url.href, place: url.host };
}
