/**
 * The first program of an agent's container. It serves the loopback port of the model relay from the mounted
 * socket, starts the agent's program, and ends it a short time after its own input has ended: so nothing runs on
 * when the host has died.
 */
export const launcherFile = 'launch.js';
export const startFile = 'start.json';
export const socketFile = 'model.sock';

/** Read by the launcher at each start. Without `port`, the program reaches no model by Kennel. */
export interface ContainerStart {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly port: number | null;
}

/** ms that the program has to end after its input has ended. */
const graceMs = 5_000;

export const launcherScript = `
const { readFileSync } = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const { spawn } = require('node:child_process');
const { argv: [program, ...args], env, cwd, port } = JSON.parse(readFileSync(__dirname + '/${startFile}', 'utf8'));
const path = __dirname + '/${socketFile}';
const fail = (code) => (error) => { console.error(String(error)); process.exit(code); };
const begin = () => {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'inherit', 'inherit'] });
  child.on('error', fail(127));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
  child.stdin.on('error', () => {});
  process.stdin.pipe(child.stdin);
  process.stdin.on('close', () => setTimeout(() => process.exit(137), ${graceMs}));
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name));
};
if (port === null) begin();
else net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const relay = net.connect({ path, allowHalfOpen: true });
  const end = () => { client.destroy(); relay.destroy(); };
  client.on('error', end).pipe(relay).on('error', end).pipe(client);
}).on('error', fail(126)).listen(port, '127.0.0.1', begin);
`;
