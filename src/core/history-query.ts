/** Selects messages of a room: the newest, those before a message, or those directly after one. */
export interface HistoryQuery {
  readonly roomId: string;
  readonly limit: number;
  /** Id of a message; returns older ones. */
  readonly before?: string;
  /** Id of a message; returns newer ones, nearest first. */
  readonly after?: string;
}
