/**
 * Finds processes of a run that have left its process group. On Linux they are known by a marker in the environment they
 * were started with; a program that clears it as well escapes this, and only an OS sandbox ends that one. Elsewhere the
 * process group is all there is.
 */
import { readdirSync, readFileSync } from 'node:fs';

export const markerName = 'KENNEL_RUN';

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

function bearers(marker: string): number[] {
  const wanted = Buffer.from(`${markerName}=${marker}`);
  const own = process.pid;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== own)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`).includes(wanted);
      } catch {
        return false;
      }
    });
}

/** A few rounds: one may start another while it is being looked for. */
export function endRun(groupLeader: number, marker: string): void {
  kill(-groupLeader);
  if (process.platform !== 'linux') return;
  for (let round = 0; round < 5; round += 1) {
    const found = bearers(marker);
    if (found.length === 0) return;
    found.forEach(kill);
  }
}
