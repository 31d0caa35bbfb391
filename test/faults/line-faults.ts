/** What a bad line does to one request or one frame, drawn from a seed, so that a failing run can be had again. */
import type { Random } from '../../src/core/ports.ts';

/**
 * `lost`: never arrives. `unanswered`: arrives, its answer does not. `twice`: arrives two times, the second answer comes
 * back. `torn`: half of the answer, then nothing. `trickle`: the answer a few bytes at a time. `late`: overtaken by others.
 */
export type RequestFault = 'none' | 'lost' | 'unanswered' | 'twice' | 'torn' | 'trickle' | 'late';
/** `dropped`: the server believes that it was sent. */
export type FrameFault = 'none' | 'twice' | 'late' | 'dropped';
/** `cut`: closed without a word. `frozen`: half-open, no byte passes and nobody is told. */
export type ConnectionFault = 'none' | 'cut' | 'frozen';

export interface LineFaults {
  request(): RequestFault;
  frame(): FrameFault;
  connection(): ConnectionFault;
  /** ms that something late is late by. */
  delay(): number;
  /** What happened, by name. */
  readonly counts: ReadonlyMap<string, number>;
}

const requestFaults = ['lost', 'unanswered', 'twice', 'torn', 'trickle', 'late'] as const;
const frameFaults = ['twice', 'late', 'dropped'] as const;

/** `rate`: how many of a hundred requests and frames meet a fault. */
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
