/** The code of a failed system call, for example `ENOENT`; `otherwise` if the error carries none. */
export const systemErrorCode = (error: unknown, otherwise = ''): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : otherwise;
