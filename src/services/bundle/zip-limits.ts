/**
 * Limits for the content of an archive (T16), for reading and also for writing, so that every export can be
 * imported.
 */
export interface ZipLimits {
  readonly entries: number;
  /** Unpacked bytes of all files. */
  readonly totalBytes: number;
  /** Maximum unpacked to packed ratio, for files and archives of more than `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
}

export const zipLimits: ZipLimits = {
  entries: 10_000,
  totalBytes: 1024 ** 3,
  ratio: 100,
  ratioFromBytes: 1024 ** 2,
};
