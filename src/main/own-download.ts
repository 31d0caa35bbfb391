/**
 * Allows only downloads of blobs that the page created, such as message attachments, never of network
 * addresses.
 */
export const isOwnDownload = (address: string, allowedOrigins: readonly string[]): boolean =>
  allowedOrigins.some((origin) => address.startsWith(`blob:${origin}/`));
