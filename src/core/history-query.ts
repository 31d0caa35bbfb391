/** Which messages of a room are asked for: the newest, those before a message, or those right after one. */
export interface HistoryQuery {
  readonly roomId: string;
  readonly limit: number;
  /** The id of a message; those older than it. */
  readonly before?: string;
  /** The id of a message; those newer than it, the nearest first taken. */
  readonly after?: string;
}
