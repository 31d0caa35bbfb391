/** Takes the host lock of the given folder, reports it on stdout, and holds it until killed. */
import { acquireHostLock } from '../../src/services/db/host-lock.ts';

const [home = ''] = process.argv.slice(2);
const lock = acquireHostLock(home, Date.now());
console.log(JSON.stringify(lock.ok ? { held: true, pid: process.pid } : { held: false, error: lock.error }));
if (lock.ok) setInterval(() => undefined, 1_000);
