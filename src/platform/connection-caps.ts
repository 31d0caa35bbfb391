/** Caps on the open TCP connections of a server, in total and per client address (T24). */
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey, isLoopback } from './http-guards.ts';

export interface ConnectionCaps {
  readonly connections: number;
  /** Connections of one address that have proved nothing. Loopback peers, which may be reverse proxies, have no such cap. */
  readonly connectionsPerAddress: number;
}

export interface ConnectionCounts {
  /** The peer proved who it is: its connection no longer counts for its address. */
  trust(socket: Duplex): void;
}

export function capConnections(server: Server, caps: ConnectionCaps): ConnectionCounts {
  const byAddress = new Map<string, number>();
  const counted = new WeakMap<Duplex, string>();
  const forget = (socket: Duplex): void => {
    const key = counted.get(socket);
    if (key === undefined || !counted.delete(socket)) return;
    const left = (byAddress.get(key) ?? 1) - 1;
    if (left > 0) byAddress.set(key, left);
    else byAddress.delete(key);
  };
  server.maxConnections = caps.connections;
  server.on('connection', (socket: Socket) => {
    const peer = socket.remoteAddress ?? '';
    if (isLoopback(peer)) return;
    const key = addressKey(peer);
    const open = (byAddress.get(key) ?? 0) + 1;
    if (open > caps.connectionsPerAddress) {
      socket.destroy();
      return;
    }
    byAddress.set(key, open);
    counted.set(socket, key);
    socket.once('close', () => forget(socket));
  });
  return { trust: forget };
}
