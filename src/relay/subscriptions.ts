/** Upgrades requests of `/subscribe` to subscribers, and manages their limits, pings and shutdown. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { say } from '../language/say.ts';
import type { RelayClients } from './allowed-clients.ts';
import type { RequestAuthDeps } from './authenticate.ts';
import type { RelayContext } from './context.ts';
import { areRivals, settleRivals } from './duplicate-connections.ts';
import { PingWheel } from './ping-wheel.ts';
import type { RateLimit } from './rate-limit.ts';
import { textMembers } from './refusal.ts';
import { StrangerSockets } from './stranger-sockets.ts';
import { closeCodes, Subscriber, type SubscriberDeps } from './subscriber.ts';

export interface Subscriptions {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  count(): number;
  /** Sends every subscriber a close frame. */
  stop(): void;
  /** Terminates the subscribers that did not answer the close frame. */
  terminate(): void;
}

export interface SubscriptionDeps {
  readonly context: RelayContext;
  readonly auth: RequestAuthDeps;
  readonly requests: RateLimit;
  readonly clients: RelayClients;
}

export function createSubscriptions({ context, auth, requests, clients }: SubscriptionDeps): Subscriptions {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: context.limits.wsFrameBytes,
    perMessageDeflate: false,
    clientTracking: false,
    skipUTF8Validation: false,
  });
  const { strangers: most, strangersPerAddress } = context.limits;
  const strangers = new StrangerSockets<Subscriber>(most, strangersPerAddress);
  const online = new Set<Subscriber>();
  const wheel = new PingWheel<Subscriber>(context.clock, context.limits.pingMs, (one) => one.ping());

  const devicesOf = ({ deviceId }: Subscriber): readonly Subscriber[] =>
    context.hub.ofDevice(deviceId).filter((one): one is Subscriber => one instanceof Subscriber);

  const greet = (subscriber: Subscriber): void => {
    strangers.delete(subscriber);
    const earlier = devicesOf(subscriber);
    // A reconnect of the same process proves that its earlier connection is dead.
    const left = earlier.filter(({ instance }) => instance !== null && instance === subscriber.instance);
    for (const one of left) one.terminate();
    if (earlier.length - left.length >= context.limits.connectionsPerDevice) {
      earlier[0]?.close(closeCodes.tooMany, 'too many connections of one device');
    }
    online.add(subscriber);
    clients.trust(subscriber.wire);
    context.hub.add(subscriber, context.store.people.identity(subscriber.slug)?.identityType === 'human');
    wheel.add(subscriber);
    const session = { type: 'connected', session_id: `ws_${context.random.uuid()}` };
    // Invitations arrive as live events here, so a client need not poll for them.
    subscriber.send(JSON.stringify({ ...session, pushes_invites: true }));
  };

  const deps: SubscriberDeps = {
    context,
    auth,
    requests,
    connected: (subscriber) => {
      const rivals = devicesOf(subscriber).filter((one) => areRivals(one, subscriber));
      settleRivals(rivals, context.clock, (mayStay) => {
        // The subscriber may have disconnected meanwhile.
        if (!strangers.has(subscriber)) return;
        if (mayStay) greet(subscriber);
        else subscriber.yieldToRival();
      });
    },
    gone: (subscriber) => {
      strangers.delete(subscriber);
      if (!online.delete(subscriber)) return;
      context.hub.remove(subscriber);
      wheel.remove(subscriber);
    },
  };

  return {
    upgrade: (request, socket, head) => {
      const path = (request.url ?? '').split('?')[0];
      const foreign = clients.refuse(request.headers);
      if (foreign) {
        refuseUpgrade(socket, foreign.status === 421 ? '421 Misdirected Request' : '403 Forbidden');
      } else if (path !== '/subscribe') refuseUpgrade(socket, '404 Not Found');
      else {
        server.handleUpgrade(request, socket, head, (ws) =>
          strangers.add(new Subscriber(ws, socket, deps), clients.addressOf(request)),
        );
      }
    },
    count: () => online.size,
    stop: () => {
      wheel.stop();
      for (const subscriber of [...strangers.all(), ...online])
        subscriber.close(1001, 'the relay is stopping');
      server.close();
    },
    terminate: () => {
      for (const subscriber of [...strangers.all(), ...online]) subscriber.terminate();
    },
  };
}

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => {});
  const body = JSON.stringify({ error: 'NOT_FOUND', ...textMembers(say('relay.socketUnknown')) });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
