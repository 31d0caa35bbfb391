import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { englishText } from '../../src/language/host-message.ts';
import { needs, onLinux } from '../fakes/programs.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { proof, seed } from '../fakes/test-run.ts';
import { Desk } from './desk.ts';
import { until } from './invariants.ts';
import { ended } from './kennel-process.ts';

const sampled = proof ? 200 : 2;
const random = createSeededRandom(seed);
const upTo = (limit: number): number => Math.floor(random.fraction() * limit);
const pick = <T>(from: readonly T[]): T => from[upTo(from.length)] as T;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let demo: Desk;
beforeAll(async () => {
  demo = await Desk.open();
});
afterAll(() => demo.remove());

/** Each test has its own host: a test that exceeds its time limit keeps running and stops its host later. */
const it = test.extend<{ desk: Desk }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern
  desk: async ({}, use) => {
    const desk = demo.copy();
    await use(desk);
    await desk.remove();
  },
});

/**
 * The host dies at its `when`th such call on this file in one of its threads, including the calls of its
 * start.
 */
interface Point {
  readonly name: string;
  readonly call: string;
  readonly file?: string;
  readonly when: number;
}

/**
 * Starting the host writes a line of the audit log and one page to a new WAL of host.db. A tool call of an
 * agent first writes a line about its rules, which is another page.
 */
const atStart = { fdatasync: 1, fsync: 2, pwrite64: 3 } as const;
const rulesLine = 2;

const named: readonly Point[] = [
  {
    name: 'before the question is stored',
    call: 'pwrite64',
    file: 'host.db-wal',
    when: atStart.pwrite64 + 1,
  },
  {
    name: 'with the question stored and nobody told',
    call: 'fsync',
    file: 'host.db-wal',
    when: atStart.fsync + 1,
  },
  {
    name: 'on a line of the audit log',
    call: 'fdatasync',
    file: 'audit/audit.jsonl',
    when: atStart.fdatasync + 1,
  },
  { name: 'allowed and not yet written', call: 'link', when: 1 },
  { name: 'written and its result not recorded', call: 'fsync', file: 'agents/guide/workspace', when: 1 },
  { name: 'as a request is counted', call: 'pwrite64', file: 'usage.db-wal', when: 1 },
];

const stores = ['host.db', 'agents/guide/messages.db', 'operator/messages.db', 'usage.db', 'relay/relay.db'];
const anywhere = (): Point => {
  const [call, most] = pick([
    ['pwrite64', 60],
    ['fsync', 14],
  ] as const);
  const file = `${pick(stores)}-wal`;
  const when = 1 + upTo(most);
  return { name: `at ${call} ${when} of ${file}`, call, file, when };
};

const dying = (home: string, { call, file, when }: Point): readonly string[] => [
  'strace',
  '-D',
  '-f',
  '-o',
  '/dev/null',
  '-e',
  `trace=${call}`,
  ...(file === undefined ? [] : ['-P', path.join(home, file)]),
  '-e',
  `inject=${call}:signal=KILL:when=${when}`,
];

/** One pool thread, so that its calls are counted together. */
const startDying = (desk: Desk, point: Point): Promise<unknown> =>
  desk.start({ wrap: dying(desk.home, point), env: { UV_THREADPOOL_SIZE: '1' } });

/** `died` is true if the host died by itself at the point. */
async function writeUntilDead(
  desk: Desk,
  room: string,
  file: string,
): Promise<{ messageId: string | null; died: boolean }> {
  const messageId = await desk.say(`write ${file}`);
  const { kennel } = desk;
  const end = performance.now() + 30_000;
  while (!ended(kennel) && performance.now() < end) {
    await desk.allow(file);
    const done = await desk.door.tryCall('chat.history', { room, limit: 20 });
    if (done.ok && done.value.messages.some((one) => !one.own && one.threadRootId === messageId)) break;
    await pause(20);
  }
  await pause(100);
  return { messageId, died: ended(kennel) };
}

describe.skipIf(!onLinux)(`Host killed in a turn with tools (seed ${seed})`, () => {
  beforeAll(() => needs('strace'));
  const points = [...named, ...Array.from({ length: sampled }, anywhere)];

  it(`at ${points.length} named and sampled points, asks, writes and answers once and loses nothing (F1)`, {
    timeout: 60_000 + points.length * 30_000,
  }, async ({ desk }) => {
    await desk.start();
    const room = `dm:${(await desk.guide()).slug}`;
    await desk.say('write note.md');
    await until('a yes', () => desk.allow('note.md'));
    await desk.idle();
    for (const [round, point] of points.entries()) {
      const file = `note${round}.md`;
      await desk.spent();
      await desk.end('SIGTERM');
      await startDying(desk, point);
      const { messageId, died } = await writeUntilDead(desk, room, file);
      if (named.includes(point)) {
        expect(messageId, `told before: ${point.name}`).not.toBeNull();
        expect(died, `reached: ${point.name}`).toBe(true);
      }
      await desk.restart();
      if (messageId !== null) await desk.writtenOnce(file, messageId, `killed ${point.name}`);
      await desk.spent();
    }
    await desk.idle();
    await desk.holds();
  });
});

describe.skipIf(!onLinux)('Host killed in a tool call that must not be repeated', () => {
  beforeAll(() => needs('strace'));
  it('does not repeat the call after the restart and reports its outcome as unknown (F1)', async ({
    desk,
  }) => {
    await desk.start();
    await desk.say('write note.md');
    await until('a yes', () => desk.allow('note.md'));
    await desk.idle();
    await desk.end('SIGTERM');
    // The file is copied, but the result is not recorded.
    const copied = { name: 'copied', call: 'fsync', file: 'agents/guide/workspace', when: 1 };
    await startDying(desk, copied);
    const command = 'cp note.md copy.md';
    const asked = (await desk.say(`run ${command}`)) ?? '';
    await until('a yes', () => desk.allow(command));
    await until('the end', () => ended(desk.kennel));
    await desk.restart();
    const [answer] = await until('an answer', async () => {
      const found = await desk.answers(asked);
      return found.length > 0 && found;
    });
    expect(answer?.text).toMatch(/outcome of bash_exec is unknown/);
    expect(answer?.steps).toMatchObject([{ tool: 'bash_exec', state: 'unknown' }]);
    expect(await desk.questions(command)).toHaveLength(1);
    expect(existsSync(desk.workspace('copy.md'))).toBe(true);
    await desk.idle();
    await desk.holds();
  });
});

describe(`Host killed (seed ${seed})`, () => {
  it('while a grant is saved: the grant exists once afterwards, or the question waits (F1)', async ({
    desk,
  }) => {
    await desk.start();
    const first = (await desk.say('write note1.md')) ?? '';
    await until('a question', async () => (await desk.questions('note1.md')).length > 0);
    const given = desk.allow('note1.md', 'exact');
    await pause(upTo(15));
    await desk.end();
    const taken = await given;
    await desk.start();
    const { grants } = await desk.door.call('grants.list', {});
    if (taken) expect(grants).toHaveLength(1);
    await desk.writtenOnce('note1.md', first, 'after a standing answer');
    const after = await desk.door.call('grants.list', {});
    expect(after.grants).toHaveLength(grants.length);
    await desk.idle();
    await desk.holds();
  });

  it('while an answer streams: the complete answer is sent once (F1)', async ({ desk }) => {
    await desk.start();
    const asked = (await desk.say('plan lunch')) ?? '';
    await until('work', async () => (await desk.guide()).dot === 'working');
    await pause(upTo(1_000));
    await desk.restart();
    const answers = await until('an answer', async () => {
      const found = await desk.answers(asked);
      return found.length > 0 && found;
    });
    expect(answers).toHaveLength(1);
    expect(answers[0]?.text).toMatch(/lunch[\s\S]*4\. /);
    await desk.idle();
    expect(await desk.answers(asked)).toHaveLength(1);
    await desk.holds();
  });

  it('while the operator steers a turn: neither message is lost or answered twice (F1)', async ({ desk }) => {
    await desk.start();
    const first = (await desk.say('work 50')) ?? '';
    await until('a step', async () =>
      /listing|looking|using/.test(englishText((await desk.guide()).activity ?? '')),
    );
    const second = (await desk.say('echo enough')) ?? '';
    await pause(upTo(60));
    await desk.restart();
    const answers = await until('an answer', async () => {
      const history = await desk.history();
      const found = history.filter(({ own, text }) => !own && text.includes('enough'));
      return found.length > 0 && found;
    });
    expect(answers).toHaveLength(1);
    await desk.idle();
    const history = await desk.history();
    const marks = [first, second].map((id) => history.find((one) => one.id === id)?.marks[0]?.state);
    expect(marks).toEqual(['done', 'done']);
    for (const id of [first, second]) expect((await desk.answers(id)).length).toBeLessThanOrEqual(1);
    await desk.holds();
  });

  it.skipIf(!onLinux)(
    'while it withdraws the question of a stopped turn: the question is withdrawn afterwards (F1)',
    async ({ desk }) => {
      needs('strace');
      await desk.start();
      const asked = (await desk.say('write note1.md')) ?? '';
      await until('a question', async () => (await desk.questions('note1.md')).length > 0);
      await desk.end('SIGTERM');
      // A stop before the rules are recorded writes more pages than the rules do.
      const when = atStart.pwrite64 + rulesLine + 1;
      await startDying(desk, { name: 'withdrawing', call: 'pwrite64', file: 'host.db-wal', when });
      await until('the turn again', async () => (await desk.guide()).dot === 'needs_you');
      await desk.say('stop');
      await until('the end', () => ended(desk.kennel));
      await desk.restart();
      await until('the question to be withdrawn', async () => {
        const [question] = await desk.questions('note1.md');
        return question?.state === 'cancelled';
      });
      await desk.idle();
      expect(await desk.answers(asked)).toEqual([]);
      await desk.holds();
    },
  );

  it('after it acknowledged a stop: the agent stays stopped and its question is withdrawn (F1)', async ({
    desk,
  }) => {
    await desk.start();
    const first = (await desk.say('write note1.md')) ?? '';
    await until('a question', async () => (await desk.questions('note1.md')).length > 0);
    const stop = await desk.say('stop');
    expect(stop).not.toBeNull();
    await pause(upTo(60));
    await desk.restart();
    await until('the question to be withdrawn', async () => {
      const [question] = await desk.questions('note1.md');
      return question?.state === 'cancelled';
    });
    await desk.idle();
    expect(await desk.questions('note1.md')).toHaveLength(1);
    expect(existsSync(desk.workspace('note1.md'))).toBe(false);
    expect(await desk.answers(first)).toEqual([]);
    const next = (await desk.say('echo still here')) ?? '';
    await until('an answer', async () => (await desk.answers(next)).length === 1);
    await desk.holds();
  });

  it('while the brake is on: agents stay silent until the operator continues one more round (F1, T27)', async ({
    desk,
  }) => {
    const door = await desk.start();
    const { channelId: channel } = await door.call('setup.tryDemo', {});
    const slugs = await Promise.all(
      ['guide', 'checker'].map(async (agent) => (await door.call('agents.get', { agent })).slug ?? ''),
    );
    const [guide, checker] = slugs;
    await door.call('chat.send', { to: channel, text: `@${guide} ask @${checker} lunch` });
    const brakes = async () => (await desk.door.call('brake.list', {})).brakes;
    const rounds = async (): Promise<number> => {
      const { messages } = await desk.door.call('chat.history', { room: channel, limit: 200 });
      return messages.filter(({ text, senderAgent }) => senderAgent && /round \d/.test(text)).length;
    };
    await until('the brake', async () => (await brakes()).length > 0, 60_000);
    await pause(upTo(200));
    await desk.restart();
    const [brake] = await until('the brake again', async () => {
      const found = await brakes();
      return found.length > 0 && found;
    });
    await until('the rooms', async () => channel in (await desk.door.call('chat.rooms', {})).rooms);
    const stopped = await rounds();
    await pause(1_500);
    expect(await rounds(), 'nobody goes on by themselves').toBe(stopped);
    expect(await brakes()).toEqual([brake]);
    const { agentId = '', roomId = '', rootId = '' } = brake ?? {};
    await desk.door.call('brake.continue', { agent: agentId, room: roomId, rootId });
    await until('another round', async () => (await rounds()) > stopped);
  });
});
