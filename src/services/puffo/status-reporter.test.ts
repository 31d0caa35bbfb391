import { describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createToldServer } from '../../../test/fakes/told-server.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { answered, noAnswer } from './request-error.ts';
import { StatusReporter } from './status-reporter.ts';
import { createWheel } from './timer-wheel.ts';

function rig() {
  const server = createToldServer();
  const clock = createVirtualClock();
  const reporter = new StatusReporter({
    client: server.client,
    clock,
    wheel: createWheel(clock),
    random: createSeededRandom(7),
    log: createRecordingLog(),
  });
  const beats = () => server.told.filter(({ path }) => path.endsWith('heartbeat'));
  const runs = () => server.told.filter(({ path }) => path.includes('/processing/'));
  return { server, clock, reporter, beats, runs };
}

const lost = noAnswer('unavailable', 'The line is dead.');
const over = (runId: string, messageId: string) => ({ runId, messageId, succeeded: true });

describe('Heartbeat', () => {
  it('is sent at once and then each minute', async () => {
    const { reporter, clock, beats } = rig();
    reporter.set({ status: 'idle' });
    expect(beats()).toEqual([]);
    reporter.online();
    expect(beats()).toHaveLength(1);
    await clock.advance(121_000);
    expect(beats()).toHaveLength(3);
    reporter.offline();
    await clock.advance(600_000);
    expect(beats()).toHaveLength(3);
  });

  it('is sent at most once in ten seconds, and ends with the latest status', async () => {
    const { reporter, clock, beats } = rig();
    reporter.online();
    for (let n = 0; n < 50; n += 1) {
      reporter.set(n % 2 === 0 ? { status: 'busy', messageId: `msg_${n}` } : { status: 'idle' });
      if (n % 10 === 0) {
        reporter.offline();
        reporter.online();
      }
      await clock.advance(500);
    }
    expect(beats().length).toBeLessThanOrEqual(4);
    reporter.set({ status: 'error', errorText: 'x'.repeat(2_000) });
    await clock.advance(11_000);
    expect(beats().at(-1)?.body).toEqual({ status: 'error', error_text: 'x'.repeat(1_024) });
  });

  it('is repeated after ten seconds if lost, but not on status 429', async () => {
    for (const [failure, more] of [
      [lost, 1],
      [answered(429, 'RATE_LIMITED', '', null), 0],
    ] as const) {
      const { reporter, clock, server, beats } = rig();
      server.failure = failure;
      reporter.online();
      await clock.advance(0);
      server.failure = null;
      await clock.advance(11_000);
      expect(beats()).toHaveLength(1 + more);
    }
  });
});

describe('Run reports', () => {
  it('start with the first message and end as one batch, with the given ids', async () => {
    const { reporter, clock, runs } = rig();
    reporter.online();
    reporter.processingStarted({ runId: 'run_a', messageId: 'msg_1' });
    await clock.advance(0);
    reporter.processingEnded([
      over('run_a', 'msg_1'),
      { ...over('run_b', 'msg_2'), succeeded: false, errorText: 'timeout: It took too long.' },
    ]);
    await clock.advance(0);
    expect(runs()).toEqual([
      { path: '/messages/msg_1/processing/start', body: { run_id: 'run_a' } },
      {
        path: '/messages/processing/end:batch',
        body: {
          runs: [
            { run_id: 'run_a', message_id: 'msg_1', succeeded: true },
            {
              run_id: 'run_b',
              message_id: 'msg_2',
              succeeded: false,
              error_text: 'timeout: It took too long.',
            },
          ],
        },
      },
    ]);
  });

  it('F9: are retried unchanged and in order after a lost call, followed by the status', async () => {
    const { reporter, clock, server, runs, beats } = rig();
    reporter.online();
    server.failure = lost;
    reporter.processingStarted({ runId: 'run_a', messageId: 'msg_1' });
    await clock.advance(5_000);
    const tried = runs().length;
    expect(tried).toBeGreaterThan(1);
    expect(new Set(runs().map((call) => JSON.stringify(call))).size).toBe(1);
    server.failure = null;
    await clock.advance(20_000);
    expect(runs()).toHaveLength(tried + 1);
    expect(beats().length).toBeGreaterThan(1);
    await clock.advance(20_000);
    expect(runs()).toHaveLength(tried + 1);
  });

  it('send only the end of a run that ended while offline', async () => {
    const { reporter, clock, server, runs } = rig();
    reporter.processingStarted({ runId: 'run_a', messageId: 'msg_1' });
    reporter.processingEnded([over('run_a', 'msg_1')]);
    expect(server.told).toEqual([]);
    reporter.online();
    await clock.advance(1_000);
    expect(runs().map(({ path }) => path)).toEqual(['/messages/msg_1/processing/end']);
  });

  it('drop calls that the server refuses, without blocking later ones', async () => {
    const { reporter, clock, server, runs } = rig();
    reporter.online();
    server.failure = answered(404, 'NOT_FOUND', 'There is no such message.', null);
    reporter.processingEnded([over('run_a', 'msg_gone')]);
    await clock.advance(0);
    server.failure = null;
    reporter.processingEnded([over('run_b', 'msg_2')]);
    await clock.advance(60_000);
    expect(runs().map(({ body }) => body.run_id)).toEqual(['run_a', 'run_b']);
  });

  it('are kept in a bounded queue that drops the oldest first, and sent in batches of at most 200', async () => {
    const { reporter, clock, runs } = rig();
    for (let n = 0; n < 700; n += 1) reporter.processingEnded([over(`run_${n}`, `msg_${n}`)]);
    reporter.online();
    await clock.advance(1_000);
    expect(runs()).toHaveLength(500);
    expect(runs()[0]?.body.run_id).toBe('run_200');
    reporter.processingEnded(Array.from({ length: 450 }, (_, n) => over(`run_x${n}`, `msg_${n}`)));
    await clock.advance(1_000);
    expect(
      runs()
        .slice(500)
        .map(({ body }) => (body.runs as unknown[]).length),
    ).toEqual([200, 200, 50]);
  });
});

it('never send the id of Kennel’s own prompt to the server', async () => {
  const { reporter, clock, server } = rig();
  reporter.online();
  await clock.advance(11_000);
  reporter.set({ status: 'busy', messageId: 'intro-prompt-1' });
  reporter.processingStarted({ runId: 'run_a', messageId: 'intro-prompt-1' });
  reporter.processingEnded([over('run_a', 'intro-prompt-1'), over('run_b', 'msg_2')]);
  await clock.advance(11_000);
  expect(JSON.stringify(server.told)).not.toContain('intro-prompt');
  expect(server.told.map(({ body }) => body.status ?? body.run_id)).toEqual(['idle', 'busy', 'run_b']);
});
