/**
 * An invitation as one link: the server's address, and a code that follows the `#`, which no browser sends to a
 * server. `https://SERVER/#invite=CODE` signs up at a server; `kennel://join?server=…#CODE` also leads into a
 * space.
 */
export interface InviteLink {
  readonly serverUrl: string;
  readonly inviteCode: string;
}

/** Days for which a code of the embedded relay can be used. */
export const inviteDays = 7;

/** Codes of links into a space begin with this; the rest are 32 random letters. */
export const linkSecretMark = 'lnk-';

export const isLinkSecret = (code: string): boolean => /^lnk-[a-z2-9]{32}$/.test(code.trim().toLowerCase());

const mark = '#invite=';
const withoutSlashes = (url: string): string => url.replace(/\/+$/, '');

export const inviteLink = ({ serverUrl, inviteCode }: InviteLink): string =>
  `${withoutSlashes(serverUrl)}/${mark}${encodeURIComponent(inviteCode)}`;

export const spaceLink = ({ serverUrl, inviteCode }: InviteLink): string =>
  `kennel://join?server=${encodeURIComponent(withoutSlashes(serverUrl))}#${inviteCode}`;

/** `null` if the text is no such link. */
export function readInviteLink(text: string): InviteLink | null {
  const at = text.indexOf(mark);
  if (at < 0) return readSpaceLink(text);
  if (!/^https?:\/\//.test(text.trim())) return null;
  try {
    const inviteCode = decodeURIComponent(text.slice(at + mark.length).trim());
    const serverUrl = withoutSlashes(text.slice(0, at).trim());
    return inviteCode === '' ? null : { serverUrl, inviteCode };
  } catch {
    return null;
  }
}

/**
 * A link into a space. `null` for any other text, and for a server address that could show another server than
 * the one it leads to (user name or password, query, another scheme).
 */
export function readSpaceLink(text: string): InviteLink | null {
  const link = URL.parse(text.trim());
  // Browsers read what follows `kennel://` as a host, other parsers as a path.
  if (link?.protocol !== 'kennel:' || !/^kennel:\/\/join\/?\?/.test(link.href)) return null;
  const inviteCode = link.hash.slice(1).toLowerCase();
  const server = URL.parse(link.searchParams.get('server') ?? '');
  if (!isLinkSecret(inviteCode) || !server || !/^https?:$/.test(server.protocol)) return null;
  if (server.username !== '' || server.password !== '' || server.search !== '' || server.hash !== '')
    return null;
  return { serverUrl: withoutSlashes(server.href), inviteCode };
}
