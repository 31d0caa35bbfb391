/** A breach of a rule that `npm run check` reports. */
export interface Finding {
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly says: string;
}
