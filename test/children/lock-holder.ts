/**
 * Takes the host lock of the given folder, reports it on stdout, and holds it until killed. It keeps no
 * reference to the lock and collects garbage: the lock must hold all the same.
 */
import { acquireHostLock } from '../../src/services/db/host-lock.ts';

const [home = ''] = process.argv.slice(2);
function acquire() {
  const lock = acquireHostLock(home, Date.now());
  return lock.ok ? { held: true, pid: process.pid } : { held: false, error: lock.error };
}
const said = acquire();
// The lock is out of reach only in a later turn of the event loop.
setTimeout(() => {
  globalThis.gc?.();
  setTimeout(() => console.log(JSON.stringify(said)), 50);
}, 10);
if (said.held) setInterval(() => undefined, 1_000);
