import { existsSync, globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { needs, onLinux } from '../fakes/programs.ts';
import { proof } from '../fakes/test-run.ts';
import { Conversation, seen, until } from './invariants.ts';
import { ended } from './kennel-process.ts';
import { newFolder, removeFolder } from './places.ts';
import { startTeam, type Team } from './team.ts';

const accounts = 3;

/** Sends Checker a message that leads to an approval request. */
async function ask(team: Team): Promise<Approval> {
  await team.door().call('chat.send', { to: 'checker', text: 'write clock.md' });
  return until('a question', async () => (await team.door().call('approvals.list', {})).approvals[0]);
}

/** Checks that the approval still waits, is the only one, and can be answered. */
async function stillAsks(team: Team, { id, digest }: Approval): Promise<void> {
  const { approvals } = await team.door().call('approvals.list', { state: 'all' });
  expect(approvals).toMatchObject([{ id, digest, state: 'waiting' }]);
  const later = { type: 'not_now' } as const;
  const decided = await team
    .door()
    .call('approvals.decide', { id, digest, answer: later, surface: 'window' });
  expect(decided.approval.state).toBe('waiting');
}

async function allowed(team: Team, { id, digest }: Approval): Promise<void> {
  const answer = { type: 'allow', scope: 'once' } as const;
  await team.door().call('approvals.decide', { id, digest, answer, surface: 'window' });
  const file = path.join(team.home, 'agents', 'checker', 'workspace', 'clock.md');
  await until('the file', () => existsSync(file));
}

describe.skipIf(!onLinux)('Wall clock changes of the host (F8)', () => {
  beforeAll(() => needs('faketime'));
  const folder = newFolder();
  const shift = path.join(folder, 'shift');
  let team: Team;

  /** Shifts only the wall clock, as a person or a time server does; monotonic time goes on. */
  const env = (): Record<string, string> => ({
    LD_PRELOAD: globSync('/usr/lib/{*/,}faketime/libfaketimeMT.so.1')[0] ?? '',
    FAKETIME_TIMESTAMP_FILE: shift,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  });

  const works = async (): Promise<void> => {
    await until('everybody', () => team.everybody('online'), 60_000);
    const talk = new Conversation();
    for (let n = 0; n < 2; n += 1) await talk.say(team.door());
    await talk.holds(team.door(), 60_000);
  };

  beforeAll(async () => {
    writeFileSync(shift, '+0\n');
    team = await startTeam();
  });
  afterAll(async () => {
    await team.stop();
    removeFolder(folder);
  });

  const offsets = proof ? ['+6m', '-6m', '+1d', '-1d', '+20d', '-20d'] : ['+6m', '-1d'];
  /**
   * The server rejects signatures of another time; the host reports that, and recovers when the clock is set.
   */
  const waitsForTheClock = async (): Promise<void> => {
    const talk = new Conversation();
    await seen('what is wrong', async () => {
      const { agents } = await team.door().call('agents.list', {});
      const { problems } = await team.door().call('host.view', {});
      const said = [...agents.map(({ error }) => error?.message), ...problems.map(({ message }) => message)];
      return said.filter((text) => text?.includes('clock')).length >= accounts;
    });
    expect(await talk.say(team.door())).toBeNull();
    writeFileSync(shift, '+0\n');
    await talk.holds(team.door(), 75_000);
    await until('everybody', () => team.everybody('online'), 75_000);
    expect((await team.door().call('host.view', {})).problems).toEqual([]);
  };

  it.each(offsets)(
    'a clock wrong by %s from the start is reported; messages wait until it is right',
    { timeout: 180_000 },
    async (offset) => {
      writeFileSync(shift, `${offset}\n`);
      await team.restart({ env: env() });
      await waitsForTheClock();
    },
  );

  const jumps = proof ? ['+6m', '-6m', '+2d', '-1d', '+20d'] : ['+2d', '-6m'];
  it(`jumps by ${jumps.join(', ')} at run time cause no restart or reconnection storm and keep the question open`, {
    timeout: 60_000 + jumps.length * 60_000,
  }, async () => {
    writeFileSync(shift, '+0\n');
    await team.restart({ env: env() });
    await works();
    const question = await ask(team);
    const connects = team.proxy.connects();
    for (const jump of jumps) {
      writeFileSync(shift, `${jump}\n`);
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      await stillAsks(team, question);
      // An existing connection may stay open: the host signs nothing again before it has to.
      writeFileSync(shift, '+0\n');
      await works();
      expect(ended(team.host())).toBe(false);
    }
    expect(team.proxy.connects() - connects).toBeLessThanOrEqual(2 * accounts * jumps.length);
    expect(team.host().output()).not.toContain('stopped answering');
    await allowed(team, question);
  });
});

describe('Time that passes without the host', () => {
  let team: Team;
  beforeAll(async () => {
    team = await startTeam();
  });
  afterAll(() => team.stop());

  const sleepMs = proof ? 600_000 : 22_000;
  it(`after ${sleepMs / 1000} s asleep each account reconnects at most once and nothing is lost (F23)`, {
    timeout: sleepMs + 90_000,
  }, async () => {
    const connects = team.proxy.connects();
    const talk = new Conversation();
    for (let n = 0; n < 3; n += 1) await talk.say(team.door());
    const question = await ask(team);
    team.host().child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, sleepMs));
    team.host().child.kill('SIGCONT');
    for (let n = 0; n < 3; n += 1) await talk.say(team.door());
    await talk.holds(team.door(), 60_000);
    await until('everybody', () => team.everybody('online'), 60_000);
    expect(team.proxy.connects() - connects).toBeLessThanOrEqual(accounts);
    await stillAsks(team, question);
    await allowed(team, question);
    expect(ended(team.host())).toBe(false);
  });

  it('a dead open connection is detected within 45 s and re-established (F9)', {
    timeout: 150_000,
  }, async () => {
    const connects = team.proxy.connects();
    team.proxy.freeze();
    const began = performance.now();
    const talk = new Conversation();
    await talk.say(team.door());
    await until('new connections', () => team.proxy.connects() >= connects + accounts, 60_000);
    expect(performance.now() - began).toBeLessThan(48_000);
    await talk.holds(team.door(), 60_000);
  });
});
