/**
 * A TCP proxy between a host and its relay that counts heartbeats, so that a bench can report their cost
 * separately.
 */
import net from 'node:net';

export interface CountingProxy {
  readonly port: number;
  readonly beats: () => number;
  readonly connections: () => number;
  readonly close: () => void;
}

const mark = 'POST /agents/me/heartbeat';

export async function openCountingProxy(targetPort: number): Promise<CountingProxy> {
  let beats = 0;
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const target = net.connect(targetPort, '127.0.0.1');
    open.add(socket);
    socket.on('data', (data: Buffer) => {
      beats += data.toString('latin1').split(mark).length - 1;
    });
    socket.pipe(target).pipe(socket);
    const end = (): void => {
      open.delete(socket);
      socket.destroy();
      target.destroy();
    };
    for (const side of [socket, target]) side.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    beats: () => beats,
    connections: () => open.size,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
