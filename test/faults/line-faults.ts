/**
 * Faults of a bad connection for one request or frame, drawn from a seed so that a failing run is repeatable.
 */
import type { Random } from '../../src/core/ports.ts';

/**
 * `lost`: never arrives. `unanswered`: arrives, but its answer does not. `twice`: arrives two times, and the
 * second answer comes back. `torn`: half of the answer, then nothing. `trickle`: the answer a few bytes at a
 * time. `late`: overtaken by others.
 */
export type RequestFault = 'none' | 'lost' | 'unanswered' | 'twice' | 'torn' | 'trickle' | 'late';
/** `dropped`: lost, while the server assumes that it was sent. */
export type FrameFault = 'none' | 'twice' | 'late' | 'dropped';
/**
 * `cut`: closed without a close frame. `frozen`: half-open, so that no byte passes and neither side notices.
 */
export type ConnectionFault = 'none' | 'cut' | 'frozen';

export interface LineFaults {
  request(): RequestFault;
  frame(): FrameFault;
  connection(): ConnectionFault;
  /** Delay in ms of a late request or frame. */
  delay(): number;
  /** Number of faults by name. */
  readonly counts: ReadonlyMap<string, number>;
}

const requestFaults = ['lost', 'unanswered', 'twice', 'torn', 'trickle', 'late'] as const;
const frameFaults = ['twice', 'late', 'dropped'] as const;

/** `rate`: percentage of requests and frames with a fault. */
export function createLineFaults(random: Random, rate: number): LineFaults {
  const counts = new Map<string, number>();
  let strikes = 0;
  const noted = <F extends string>(kind: string, fault: F): F => {
    if (fault !== 'none') counts.set(`${kind} ${fault}`, (counts.get(`${kind} ${fault}`) ?? 0) + 1);
    return fault;
  };
  const drawn = <F extends string>(kind: string, faults: readonly F[]): F | 'none' => {
    const happens = random.fraction() * 100 < rate;
    return noted(kind, (happens && faults[Math.floor(random.fraction() * faults.length)]) || 'none');
  };
  return {
    counts,
    request: () => drawn('request', requestFaults),
    frame: () => drawn('frame', frameFaults),
    connection: () => {
      strikes += 1;
      return noted('connection', strikes % 6 === 0 ? 'frozen' : 'cut');
    },
    delay: () => 5 + random.fraction() * 120,
  };
}
