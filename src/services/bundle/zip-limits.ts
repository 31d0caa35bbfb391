/** How much an archive may hold (T16), for reading and, so that nobody is surprised, for writing. */
export interface ZipLimits {
  readonly entries: number;
  /** Of all files, unpacked. */
  readonly totalBytes: number;
  /** Unpacked to packed, for files and archives of more than `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
}

export const zipLimits: ZipLimits = {
  entries: 10_000,
  totalBytes: 1024 ** 3,
  ratio: 100,
  ratioFromBytes: 1024 ** 2,
};
