/**
 * Addresses of profile pictures. Published ones are absolute (`<server_url>/blobs/<id>`), since clients from 2.0 fetch only what
 * lies below their server's address. Earlier versions of Kennel published `/blobs/<id>`.
 */
import { withoutEndSlashes } from './server-url.ts';

const blobPath = /^\/blobs\/([\w-]{1,100})$/;

/** The blob that an address names on this server, or `null` if it leads anywhere else. */
export function avatarBlobId(address: string, serverUrl: string): string | null {
  const prefix = withoutEndSlashes(serverUrl);
  const target = prefix !== '' && address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : address;
  return blobPath.exec(target)?.[1] ?? null;
}

/** The absolute form of an address that names a blob of this server; any other address as it is. */
export function absoluteAvatarUrl(address: string, serverUrl: string): string {
  const blobId = avatarBlobId(address, serverUrl);
  return blobId === null ? address : `${withoutEndSlashes(serverUrl)}/blobs/${blobId}`;
}
