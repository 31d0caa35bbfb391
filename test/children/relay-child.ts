/** A relay in a process of its own, to be killed: `relay-child.ts FOLDER PORT`. Tells its parent its port. */
import { startTeamRelay } from '../../src/host/team-relay.ts';

const [dataDir = '', port = '0'] = process.argv.slice(2);
const started = await startTeamRelay({ dataDir, listen: { host: '127.0.0.1', port: Number(port) } });
process.send?.(started.ok ? { port: started.value.port } : { error: started.error.message });
