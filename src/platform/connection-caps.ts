/** Caps on the open TCP connections of a server, in total and per client address (T24). */
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey, isLoopback } from './http-guards.ts';

export interface ConnectionCaps {
  readonly connections: number;
  /** Unauthenticated connections of one address; a further one is refused. */
  readonly connectionsPerAddress: number;
  /**
   * Unauthenticated connections from loopback, which all clients of a reverse proxy share: a further one
   * evicts the oldest, so that silent connections lock no client out.
   */
  readonly connectionsFromLoopback: number;
}

export interface ConnectionCounts {
  /** The peer authenticated: its connection no longer counts for its address. */
  trust(socket: Duplex): void;
}

export function capConnections(server: Server, caps: ConnectionCaps): ConnectionCounts {
  /** Oldest first. */
  const byAddress = new Map<string, Set<Socket>>();
  const counted = new WeakMap<Duplex, string>();
  const forget = (socket: Duplex): void => {
    const key = counted.get(socket);
    const open = key === undefined ? undefined : byAddress.get(key);
    counted.delete(socket);
    if (key !== undefined && open?.delete(socket as Socket) && open.size === 0) byAddress.delete(key);
  };
  server.maxConnections = caps.connections;
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    const isLocal = isLoopback(peer);
    const key = isLocal ? 'loopback' : addressKey(peer);
    const open = byAddress.get(key) ?? new Set();
    if (!isLocal && open.size >= caps.connectionsPerAddress) {
      socket.destroy();
      return;
    }
    byAddress.set(key, open.add(socket));
    counted.set(socket, key);
    socket.once('close', () => forget(socket));
    const [oldest] = open;
    if (!isLocal || open.size <= caps.connectionsFromLoopback || !oldest) return;
    forget(oldest);
    oldest.destroy();
  });
  return { trust: forget };
}
