/** The text of runtime.json, through which other programs see how an agent fares (spec §5). */

export interface RuntimeStatus {
  readonly status: 'running' | 'paused' | 'error' | 'stopped';
  /** Seconds since the epoch, like the other times here. */
  readonly started_at: number;
  readonly updated_at: number;
  readonly msg_count: number;
  readonly last_event_at: number;
  readonly error: string;
  readonly health: 'ok' | 'auth_failed' | 'unknown';
}

export function formatRuntimeStatus(status: RuntimeStatus): string {
  const { started_at, updated_at, msg_count, last_event_at, error, health } = status;
  const ordered = { status: status.status, started_at, updated_at, msg_count, last_event_at, error, health };
  return JSON.stringify(ordered, null, 2);
}
