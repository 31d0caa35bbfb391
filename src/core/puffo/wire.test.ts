import { expect, it } from 'vitest';
import { signedEventSchema, slugBindingSchema } from './wire.ts';

it('T24: a timestamp outside the range of Date is refused', () => {
  const issued = (issued_at: number) =>
    slugBindingSchema.safeParse({
      type: 'slug_binding',
      version: 1,
      slug: 'ada-0001',
      issued_at,
      root_public_key: 'A'.repeat(43),
      self_signature: 'A'.repeat(86),
    }).success;
  const last = 8_640_000_000_000_000;
  expect(new Date(last).toISOString()).toBe('+275760-09-13T00:00:00.000Z');
  expect([issued(0), issued(last), issued(last + 1), issued(Number.MAX_SAFE_INTEGER)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('An event made by the server names `server` as its signing device and subkey', () => {
  const event = {
    type: 'signed_event',
    version: 1,
    event_id: 'ev_1',
    kind: 'accept_space_invite',
    payload: {},
    signer_slug: 'bot-0001',
    signer_device_id: 'server',
    signer_subkey_id: 'server',
    signature: 'a'.repeat(86),
  };
  expect(signedEventSchema.safeParse(event).success).toBe(true);
  expect(signedEventSchema.safeParse({ ...event, signer_slug: 'a|b' }).success).toBe(false);
});
