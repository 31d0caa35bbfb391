import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RunningHost {
  readonly pid: number;
  readonly socket: string;
}

/** The data that a host last published in this folder; the host may be gone. */
export function readHostFile(home: string): RunningHost | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(home, 'host.json'), 'utf8'));
    if (typeof parsed !== 'object' || !parsed || !('pid' in parsed) || !('socket' in parsed)) return null;
    const { pid, socket } = parsed;
    return typeof pid === 'number' && typeof socket === 'string' && socket !== '' ? { pid, socket } : null;
  } catch {
    return null;
  }
}
