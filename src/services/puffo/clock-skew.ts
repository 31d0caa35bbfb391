/**
 * Measures how far this machine's clock is from the server's, from the server's `Date` headers. It is shown
 * to a person if requests are refused; it never corrects timestamps (T29).
 */
import type { Clock } from '../../core/ports.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

export interface ServerClock {
  heard(serverTime: number | null): void;
  /** ms that this machine is ahead; 0 until the server has sent a time. */
  aheadMs(): number;
  /** A sentence if the difference explains a refusal, or `null`. */
  complaint(): HostText | null;
}

/** Servers accept five minutes; below four the header's precision and latency do not matter. */
const explainsMs = 4 * 60_000;

export function createServerClock(clock: Clock): ServerClock {
  let ahead = 0;
  return {
    heard(serverTime) {
      if (serverTime !== null) ahead = clock.now() - serverTime;
    },
    aheadMs: () => ahead,
    complaint() {
      if (Math.abs(ahead) < explainsMs) return null;
      const minutes = Math.round(Math.abs(ahead) / 60_000);
      const side = ahead > 0 ? say('server.clockAhead') : say('server.clockBehind');
      return say('server.clockSkew', { n: minutes, side });
    },
  };
}
