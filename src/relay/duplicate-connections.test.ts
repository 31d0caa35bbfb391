import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listener, type Person, RelayWorld } from '../../test/fakes/relay-world.ts';

describe('Duplicate connections of one identity (F18)', () => {
  const world = new RelayWorld({ pingMs: 60_000 });
  let alice: Person;
  let guide: Person;
  beforeAll(async () => {
    await world.start();
    alice = await world.join('alice');
    guide = await world.adopt(alice, 'guide');
  });
  afterAll(() => world.end());

  const connect = async (person: Person, instance?: string): Promise<Listener> => {
    const listener = await world.socket();
    listener.send({ ...world.connectFrame(person), ...(instance ? { instance } : {}) });
    await listener.frame(({ type }) => type === 'connected' || type === 'error');
    return listener;
  };
  const greeted = (listener: Listener): boolean => listener.frames.some(({ type }) => type === 'connected');
  const leave = async (...listeners: readonly Listener[]): Promise<void> => {
    for (const { socket } of listeners) socket.terminate();
    await expect.poll(() => world.relay.connections()).toBe(0);
  };
  const hears = async (listener: Listener): Promise<boolean> => {
    const envelope = world.seal(alice, { dm: guide.slug }, 'hello', [alice, guide]);
    await world.call(alice, 'POST', '/messages', envelope);
    const arrived = ({ envelope: told }: { envelope?: unknown }): boolean =>
      (told as { envelope_id?: string } | undefined)?.envelope_id === envelope.envelope_id;
    return listener.frame(arrived, 1_000).then(
      () => true,
      () => false,
    );
  };

  test('are refused with DEVICE_BUSY while the first is alive', async () => {
    const first = await connect(guide, 'one');
    const second = await connect(guide, 'two');
    expect(second.frames[0]).toMatchObject({ type: 'error', error: 'DEVICE_BUSY' });
    expect(await second.closed()).toBe(4409);
    expect(greeted(second)).toBe(false);
    expect(await hears(first)).toBe(true);
    expect(second.frames.some(({ type }) => type === 'message')).toBe(false);
    await leave(first);
  });

  test('replace a first connection that no longer responds', async () => {
    const first = await connect(guide, 'one');
    first.mute = true;
    const second = await connect(guide, 'two');
    expect(greeted(second)).toBe(true);
    await first.closed();
    expect(await hears(second)).toBe(true);
    await leave(second);
  });

  test('from the same process replace its earlier connection at once', async () => {
    const first = await connect(guide, 'one');
    first.mute = true;
    const again = await connect(guide, 'one');
    expect(greeted(again)).toBe(true);
    await first.closed(500);
    await leave(again);
  });

  test('are refused if an older client without an instance id is involved', async () => {
    const old = await connect(guide);
    expect(greeted(await connect(guide, 'one'))).toBe(false);
    await leave(old);
    const copy = await connect(guide, 'one');
    expect(greeted(await connect(guide))).toBe(false);
    await leave(copy);
  });

  test('are allowed for a person’s clients without an instance id', async () => {
    const [one, two, kennel] = [await connect(alice), await connect(alice), await connect(alice, 'one')];
    expect([one, two, kennel].map(greeted)).toEqual([true, true, true]);
    expect(greeted(await connect(alice, 'two'))).toBe(false);
    await leave(one, two, kennel);
  });
});
