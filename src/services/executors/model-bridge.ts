/**
 * Inside a sandbox without a network, a bridge serves the loopback port of the model relay from its Unix socket, and
 * starts the agent's program once the port is open: socat where it is installed, because it needs a tenth of the
 * memory, else a small Node program. Both are passed as text, so that the sandbox needs no folder of Kennel.
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

/**
 * The shell becomes the program. If socat is killed, so is the program, which could not ask its model any more. A port
 * that never opens fails the first request. `:0A` in the table of the kernel is a port that listens.
 */
const socatScript = `
port=$1 socket=$2
shift 2
(socat "TCP4-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr,nodelay,backlog=64" "UNIX-CONNECT:$socket"; kill -9 $$) \
  </dev/null >/dev/null 2>&1 &
row=$(printf '0100007F:%04X 00000000:0000 0A' "$port")
tries=0
while ! grep -q "$row" /proc/net/tcp && [ $tries -lt 500 ]; do sleep 0.01; tries=$((tries + 1)); done
exec "$@"
`;

type ModelBridge = { readonly kind: 'socat' } | { readonly kind: 'node'; readonly node: string };

/** `null` if this system has neither. */
export function findModelBridge(): ModelBridge | null {
  if (findProgram('socat', ['/usr/bin', '/bin']) !== null) return { kind: 'socat' };
  const node = findBridgeNode();
  return node === null ? null : { kind: 'node', node };
}

/** Node itself; the packaged app does not run scripts, so there a Node of the system. `null` without one. */
const findBridgeNode = (): string | null =>
  process.versions.electron === undefined
    ? process.execPath
    : findProgram('node', ['/usr/local/bin', '/usr/bin']);

export function bridgeArgs(
  bridge: ModelBridge,
  { url, socketPath }: { readonly url: string; readonly socketPath: string },
  argv: readonly string[],
): readonly string[] {
  const own = [new URL(url).port, socketPath, ...argv];
  return bridge.kind === 'socat'
    ? ['/bin/sh', '-c', socatScript, 'sh', ...own]
    : [bridge.node, '-e', script, '--', ...own];
}

/** The same in Python, for images without Node.js and socat. */
const pythonScript = `
import socket, sys, threading
port, path = int(sys.argv[1]), sys.argv[2]
def copy(a, b):
    try:
        while True:
            piece = a.recv(65536)
            if not piece: break
            b.sendall(piece)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        a.close(); b.close()
def serve(client):
    host = socket.socket(socket.AF_UNIX)
    try: host.connect(path)
    except OSError: client.close(); return
    threading.Thread(target=copy, args=(client, host), daemon=True).start()
    copy(host, client)
server = socket.create_server(('127.0.0.1', port), backlog=64)
while True:
    client, _ = server.accept()
    threading.Thread(target=serve, args=(client,), daemon=True).start()
`;

const waitScript = `
port=$1 socket=$2 node=$3 python=$4
if [ -n "$port" ]; then
  if command -v socat; then socat "TCP4-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr,nodelay,backlog=64" "UNIX-CONNECT:$socket" &
  elif command -v node; then node -e "$node" -- "$port" "$socket" sleep 2147483647 &
  elif command -v python3; then python3 -c "$python" "$port" "$socket" &
  fi
fi >/dev/null 2>&1
trap 'exit 0' TERM INT
while :; do sleep 3600 & wait $!; done
`;

/** Arguments of `sh` for a first program that waits. It serves the port if the image has a program that can. */
export const waitingProgram = (
  bridge: { readonly port: number; readonly socketPath: string } | null,
): readonly string[] => [
  '-c',
  waitScript,
  'sh',
  String(bridge?.port ?? ''),
  bridge?.socketPath ?? '',
  script,
  pythonScript,
];
