/**
 * Inside a sandbox without a network, a small Node program serves the loopback port of the model relay from its
 * Unix socket, and starts the agent's program once the port is open. It is passed as text, so that the sandbox
 * needs no folder of Kennel.
 */
import { findProgram } from '../../platform/find-program.ts';

const script = `
const net = require('node:net');
const os = require('node:os');
const { spawn } = require('node:child_process');
const [port, path, program, ...args] = process.argv.slice(1);
const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const relay = net.connect({ path, allowHalfOpen: true });
  const end = () => { client.destroy(); relay.destroy(); };
  client.on('error', end).pipe(relay).on('error', end).pipe(client);
});
server.on('error', (error) => { console.error(String(error)); process.exit(126); });
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(String(error)); process.exit(127); });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
});
`;

/** Node itself; the packaged app does not run scripts, so there a Node of the system. `null` without one. */
export const findBridgeNode = (): string | null =>
  process.versions.electron === undefined
    ? process.execPath
    : findProgram('node', ['/usr/local/bin', '/usr/bin']);

export const bridgeArgs = (
  node: string,
  { url, socketPath }: { readonly url: string; readonly socketPath: string },
  argv: readonly string[],
): readonly string[] => [node, '-e', script, '--', new URL(url).port, socketPath, ...argv];
