import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { Conversation, seen, undisturbed, until } from './invariants.ts';
import { startTeam, type Team } from './team.ts';

const random = createSeededRandom(seed);
/** Connection attempts are at most a minute apart. */
const backMs = 90_000;

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team.stop());
afterEach(async () => {
  team.proxy.tamper(null);
  await team.proxy.set('fair');
  await until('everybody back', () => team.everybody('online'), backMs);
});

describe('A relay', () => {
  it('that is down makes agents offline; they catch up when it is back (F9)', async () => {
    const talk = new Conversation();
    await talk.say(team.door());
    await talk.holds(team.door());
    await team.stopRelay();
    await seen('everybody offline', () => team.everybody('offline'));
    for (let n = 0; n < 5; n += 1) expect(await talk.say(team.door())).toBeNull();
    const own = (await talk.history(team.door())).filter(({ id }) => talk.acknowledged.has(id));
    expect(own.filter(({ delivery }) => delivery === 'pending')).toHaveLength(5);
    await team.startRelay();
    await talk.holds(team.door(), backMs);
    await undisturbed(team.door());
  });

  it('replaced by a web page counts as offline, and nothing is lost (F9)', async () => {
    const talk = new Conversation();
    await team.proxy.set('html');
    team.proxy.cut();
    await seen('everybody offline', () => team.everybody('offline'));
    expect(await talk.say(team.door())).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await team.everybody('offline')).toBe(true);
    const { agents } = await team.door().call('agents.list', {});
    for (const agent of agents) expect(agent).toMatchObject({ dot: 'offline', life: 'running' });
    await team.proxy.set('fair');
    await talk.holds(team.door(), backMs);
  });

  it('that is slow loses and duplicates nothing (F9)', async () => {
    await team.proxy.set('slow');
    const talk = new Conversation();
    for (let n = 0; n < 3; n += 1) await talk.say(team.door());
    await talk.holds(team.door(), backMs);
  });

  it('with an endless response is given up without growing memory (F12, T24)', async () => {
    const rss = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${team.host().child.pid}/status`, 'utf8'))?.[1] ?? 0);
    const before = rss();
    const talk = new Conversation();
    await team.proxy.set('endless');
    for (let n = 0; n < 3; n += 1) expect(await talk.say(team.door())).toBeNull();
    let most = 0;
    for (let n = 0; n < 40; n += 1) {
      most = Math.max(most, rss() - before);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(most, 'KiB more').toBeLessThan(128 * 1024);
    await team.proxy.set('fair');
    team.proxy.cut();
    await talk.holds(team.door(), backMs);
  });

  const drops = proof ? 500 : 8;
  it(`that drops connections ${drops} times loses and duplicates nothing (F9), seed ${seed}`, {
    timeout: 120_000 + drops * 2000,
  }, async () => {
    const talk = new Conversation();
    for (let n = 0; n < drops; n += 1) {
      await talk.say(team.door());
      await new Promise((resolve) => setTimeout(resolve, random.fraction() * 900));
      team.proxy.cut();
      if (n % 6 === 5) await until('everybody', () => team.everybody('online'), backMs);
    }
    await talk.holds(team.door(), backMs);
  });
});

describe(`Tampered frames (seed ${seed})`, () => {
  const refusedBy = async (agent: string): Promise<Readonly<Record<string, number>>> =>
    (await team.door().call('agents.get', { agent })).refused;
  const total = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);

  /** Changes one letter of the member's value. */
  const spoil = (text: string, member: string): string =>
    text.replace(
      new RegExp(`("${member}":")(.)(.)`),
      (_all, head: string, one: string, two: string) => `${head}${one}${two === 'A' ? 'B' : 'A'}`,
    );

  it('forged before the real ones are counted, reported and change nothing (T6)', async () => {
    const before = total(await refusedBy('guide'));
    team.proxy.tamper((text, send) => {
      if (text.includes('"type":"message"')) {
        send(spoil(text, 'content_ciphertext'));
        send(spoil(text, 'sender_slug'));
        send(spoil(text, 'envelope_id'));
        send(text.replace(/"envelope_id":"[^"]+"/, '"envelope_id":7'));
      }
      send(text);
    });
    const talk = new Conversation();
    for (let n = 0; n < 5; n += 1) await talk.say(team.door());
    await talk.holds(team.door());
    const counts = await seen('the refusals', async () => {
      const now = await refusedBy('guide');
      return total(now) >= before + 5 ? now : false;
    });
    expect(Object.keys(counts).length).toBeGreaterThan(1);
    await undisturbed(team.door());
    await seen('the operator to be told', async () =>
      (await team.door().call('host.view', {})).problems.some(({ id }) => id.startsWith('refused-')),
    );
  });

  it('replayed and shuffled are accepted once and in order (F10, T5, T6)', async () => {
    const kept: string[] = [];
    team.proxy.tamper((text, send) => {
      if (!text.includes('"type":"message"')) return send(text);
      kept.push(text);
      for (const old of [...kept].sort(() => random.fraction() - 0.5).slice(0, 8)) send(old);
      setTimeout(() => send(text), random.fraction() * 300);
    });
    const talk = new Conversation();
    for (let n = 0; n < (proof ? 200 : 20); n += 1) await talk.say(team.door());
    await talk.holds(team.door(), backMs);
  });

  it('that are malformed are ignored (T24, F12)', async () => {
    const nonsense = [
      '',
      'null',
      '[]',
      '{"type":',
      '{"type":"message"}',
      '['.repeat(50_000),
      '"\\ud800"',
      '{"type":"surprise","__proto__":{"a":1}}',
    ];
    team.proxy.tamper((text, send) => {
      for (const piece of nonsense) send(piece);
      send(text);
    });
    const talk = new Conversation();
    for (let n = 0; n < 3; n += 1) await talk.say(team.door());
    await talk.holds(team.door());
    await undisturbed(team.door());
  });

  it('larger than 1 MiB close the connection, which is then re-established (T24)', async () => {
    const connects = team.proxy.connects();
    let sent = false;
    team.proxy.tamper((text, send) => {
      if (!sent && text.includes('"type":"message"')) {
        sent = true;
        send(`{"type":"message","padding":"${'x'.repeat(1_200_000)}"}`);
      }
      send(text);
    });
    const talk = new Conversation();
    for (let n = 0; n < 3; n += 1) await talk.say(team.door());
    await talk.holds(team.door(), backMs);
    expect(sent).toBe(true);
    expect(team.proxy.connects()).toBeGreaterThan(connects);
  });
});
