// Prints the heap size with garbage in it, and after the host was idle for a minute.
import { startHeapRest } from '../../src/services/heap/idle-gc.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';

const clock = createVirtualClock();
const held = (): number => process.memoryUsage().heapTotal;
let waste: unknown[] | null = Array.from({ length: 600_000 }, (_, i) => ({ i, text: `waste ${i}` }));
if (waste.length !== 600_000) throw new Error('no waste');
const before = held();
waste = null;
startHeapRest({ clock, log: createRecordingLog(), isQuiet: () => true, releaseNative: () => undefined });
await clock.advance(60_000);
console.log(JSON.stringify({ before, after: held() }));
