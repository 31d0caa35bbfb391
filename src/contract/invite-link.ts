/** Invite code and server address as one link. The code is in the fragment, which no browser sends to a server. */
export interface InviteLink {
  readonly serverUrl: string;
  readonly inviteCode: string;
}

/** Days for which a code of the embedded relay can be used. */
export const inviteDays = 7;

const mark = '#invite=';

export const inviteLink = ({ serverUrl, inviteCode }: InviteLink): string =>
  `${serverUrl.replace(/\/+$/, '')}/${mark}${encodeURIComponent(inviteCode)}`;

/** `null` if the text is no such link. */
export function readInviteLink(text: string): InviteLink | null {
  const at = text.indexOf(mark);
  if (at < 0 || !/^https?:\/\//.test(text.trim())) return null;
  try {
    const inviteCode = decodeURIComponent(text.slice(at + mark.length).trim());
    const serverUrl = text.slice(0, at).trim().replace(/\/+$/, '');
    return inviteCode === '' ? null : { serverUrl, inviteCode };
  } catch {
    return null;
  }
}
