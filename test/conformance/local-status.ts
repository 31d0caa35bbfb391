/** The section `status_reporter_calls` of the suite `puffo-local`: what a server hears of one agent's life, in order. */
import { z } from 'zod';
import { StatusReporter } from '../../src/services/puffo/status-reporter.ts';
import { createWheel } from '../../src/services/puffo/wheel.ts';
import { createRecordingLog } from '../fakes/recording-log.ts';
import { createSeededRandom } from '../fakes/seeded-random.ts';
import { createToldServer } from '../fakes/told-server.ts';
import { createVirtualClock } from '../fakes/virtual-clock.ts';
import { expectSame, type SlowSection, testCase } from './case.ts';

const heartbeat = z.object({
  path: z.literal('/agents/me/heartbeat'),
  body: z.object({
    status: z.enum(['idle', 'busy', 'error']),
    current_message_id: z.string().optional(),
    error_text: z.string().optional(),
  }),
});
const end = z.object({
  path: z.string().regex(/^\/messages\/[^/]+\/processing\/end$/),
  body: z.object({ run_id: z.string(), succeeded: z.boolean(), error_text: z.string().optional() }),
});
const callsSchema = z.array(z.union([heartbeat, end])).min(1);
type Call = z.infer<typeof callsSchema>[number];

/** A text that was cut stands as what was given and what is left of it. */
const cutText = /^<first (\d+) characters of the (\d+) given>$/;
const given = (text: string): string => {
  const length = cutText.exec(text)?.[2];
  return length === undefined ? text : 'x'.repeat(Number(length));
};
const left = (text: string): string => {
  const length = cutText.exec(text)?.[1];
  return length === undefined ? text : 'x'.repeat(Number(length));
};

const expectedOf = ({ path, body }: Call) => ({
  path,
  body: body.error_text === undefined ? body : { ...body, error_text: left(body.error_text) },
});

function act(reporter: StatusReporter, { path, body }: Call): void {
  const errorText = given(body.error_text ?? '');
  if ('run_id' in body) {
    const messageId = path.split('/')[2] ?? '';
    reporter.processingEnded([{ runId: body.run_id, messageId, succeeded: body.succeeded, errorText }]);
  } else if (body.status === 'busy') {
    reporter.set({ status: 'busy', messageId: body.current_message_id ?? '' });
  } else if (body.status === 'error') reporter.set({ status: 'error', errorText });
  else reporter.set({ status: 'idle' });
}

export const statusReporterCalls: SlowSection = async (value) => {
  const calls = callsSchema.parse(value);
  const server = createToldServer();
  const clock = createVirtualClock();
  const reporter = new StatusReporter({
    ...{ client: server.client, clock, wheel: createWheel(clock) },
    ...{ random: createSeededRandom(1), log: createRecordingLog() },
  });
  reporter.online();
  for (const call of calls) {
    act(reporter, call);
    // A prompt of the host's own: no server hears of it.
    reporter.processingStarted({ runId: 'run_local', messageId: 'intro-prompt-1' });
    reporter.processingEnded([{ runId: 'run_local', messageId: 'intro-prompt-1', succeeded: true }]);
    await clock.advance(12_000);
  }
  reporter.offline();
  return [
    ...calls.map((call, index) =>
      testCase(`${index} ${call.path}`, () => expectSame(server.told[index], expectedOf(call), 'call')),
    ),
    testCase('nothing else', () => expectSame(server.told.length, calls.length, 'calls')),
  ];
};
