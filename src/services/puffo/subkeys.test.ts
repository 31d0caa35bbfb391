import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createJumpingClock } from '../../../test/fakes/jumping-clock.ts';
import { createPuppet } from '../../../test/fakes/puppet.ts';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { ok } from '../../contract/result.ts';
import { createNobleEngine } from '../crypto/noble-engine.ts';
import { createServerClock } from './clock-skew.ts';
import { createSignedRequests } from './signed-requests.ts';
import { Subkeys } from './subkeys.ts';
import type { ServerAnswer, ServerExchange, Transport } from './transport.ts';

const crypto = createNobleEngine();
const serverNow = 1_778_790_000_000;
const twoDaysMs = 2 * 86_400_000;
const certSchema = z.object({ subkey_cert: z.object({ issued_at: z.number() }) });

const answer = (status: number, body: object): ServerAnswer => ({
  status,
  contentType: 'application/json',
  body: new TextEncoder().encode(JSON.stringify(body)),
  serverTime: serverNow,
  retryAfterMs: null,
});

/** Accepts a certificate whose issue time has passed, like the server. */
function createRegistrar(received: () => void) {
  const issued: number[] = [];
  const transport: Transport = {
    serverUrl: 'http://127.0.0.1:1',
    socketUrl: (target) => target,
    send: async ({ body }: ServerExchange) => {
      const { issued_at: at } = certSchema.parse(
        JSON.parse(new TextDecoder().decode(body ?? undefined)),
      ).subkey_cert;
      issued.push(at);
      received();
      if (at <= serverNow + 60_000) return ok(answer(200, {}));
      return ok(answer(400, { error: 'InvalidInput', message: 'A subkey cannot be issued later than now.' }));
    },
    close: () => undefined,
  };
  return { transport, issued };
}

describe('Subkeys', () => {
  it('F8: register one more certificate if the clock is set back during registration', async () => {
    const clock = createJumpingClock(100, serverNow + twoDaysMs);
    const { identity } = createPuppet(crypto, 'alice-1', { now: serverNow });
    const { transport, issued } = createRegistrar(() => clock.set(serverNow));
    const subkeys = new Subkeys({
      identity,
      sessions: { load: () => null, save: () => undefined },
      requests: createSignedRequests({ transport, skew: createServerClock(clock), crypto, clock }),
      crypto,
      clock,
      log: createRecordingLog(),
    });
    expect(await subkeys.current()).toMatchObject({ ok: true });
    expect(issued).toHaveLength(2);
    expect(issued[0]).toBeGreaterThan(serverNow + 60_000);
    expect(issued[1]).toBeLessThan(serverNow + 60_000);
  });
});
