/**
 * Ends the processes of a run that left its process group. On Linux a marker in their initial environment
 * identifies them; a program that clears the marker too escapes this, and only an OS sandbox ends it. Other
 * systems end the process group only.
 */
import { readdirSync } from 'node:fs';
import { bearsMarker } from '../../platform/process-marker.ts';
import { signalProcess } from '../../platform/process-signals.ts';

function bearers(marker: string): number[] {
  const own = process.pid;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== own)
    .filter((pid) => bearsMarker(pid, marker));
}

/** Repeats a few times, because a process may start another one during the search. */
export function endRun(groupLeader: number, marker: string): void {
  signalProcess(-groupLeader, 'SIGKILL');
  if (process.platform !== 'linux') return;
  for (let round = 0; round < 5; round += 1) {
    const found = bearers(marker);
    if (found.length === 0) return;
    for (const pid of found) signalProcess(pid, 'SIGKILL');
  }
}
