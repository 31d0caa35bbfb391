/**
 * A relay in its own process, so that tests can kill it: `relay-child.ts FOLDER PORT`. Sends its port to its
 * parent.
 */
import { startTeamRelay } from '../../src/host/relay/team-relay.ts';

const [dataDir = '', port = '0'] = process.argv.slice(2);
const started = await startTeamRelay({ dataDir, listen: { host: '127.0.0.1', port: Number(port) } });
process.send?.(started.ok ? { port: started.value.port } : { error: started.error.message });
