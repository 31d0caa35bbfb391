/** Which downloads the page may begin: bytes that it made itself, as the files of messages are; nothing by address. */
export const isOwnDownload = (address: string, allowedOrigins: readonly string[]): boolean =>
  allowedOrigins.some((origin) => address.startsWith(`blob:${origin}/`));
