/**
 * The first program of an agent's container. It serves loopback ports from the mounted socket, starts the agent's
 * program, and ends it a short time after its own input has ended: so nothing runs on when the host has died.
 * It waits for a line of input first: an engine that is busy loses what a program prints before the host is attached.
 */
import { gatewayFile } from './container-gateway.ts';

export const launcherFile = 'launch.js';
export const startFile = 'start.json';

/** Read by the launcher at each start. */
export interface ContainerStart {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Loopback ports by the service that the socket is asked for. */
  readonly ports: Readonly<Record<string, number>>;
}

/** ms that the program has to end after its input has ended. */
const graceMs = 1_000;

export const launcherScript = `
const { readFileSync } = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const { spawn } = require('node:child_process');
const { argv: [program, ...args], env, cwd, ports } = JSON.parse(readFileSync(__dirname + '/${startFile}', 'utf8'));
const path = __dirname + '/${gatewayFile}';
const fail = (code) => (error) => { console.error(String(error)); process.exit(code); };
const begin = () => {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['pipe', 'inherit', 'inherit'] });
  child.on('error', fail(127));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
  child.stdin.on('error', () => {});
  process.stdin.pipe(child.stdin);
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name));
};
process.stdin.on('close', () => setTimeout(() => process.exit(137), ${graceMs}));
const attached = new Promise((done) => process.stdin.once('data', (piece) => {
  process.stdin.pause();
  const rest = piece.subarray(piece.indexOf(10) + 1);
  if (rest.length > 0) process.stdin.unshift(rest);
  done();
}));
const serve = ([service, port]) => new Promise((done) => {
  net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const host = net.connect({ path, allowHalfOpen: true });
    const end = () => { client.destroy(); host.destroy(); };
    host.write(service + '\\n');
    client.on('error', end).pipe(host).on('error', end).pipe(client);
  }).on('error', fail(126)).listen(port, '127.0.0.1', done);
});
Promise.all([attached, ...Object.entries(ports).map(serve)]).then(begin);
`;
