/** An address of a server without the slashes at its end, so that equal servers have equal addresses. */
export const withoutEndSlashes = (url: string): string => url.replace(/\/+$/, '');
