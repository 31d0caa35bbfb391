/**
 * The section `status_reporter_calls` of the suite `puffo-local`: the requests to a server during the life of
 * one agent, in order.
 */
import { z } from 'zod';
import type { ProcessingRun } from '../../src/core/puffo/account-port.ts';
import { StatusReporter } from '../../src/services/puffo/status-reporter.ts';
import { createWheel } from '../../src/services/puffo/timer-wheel.ts';
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
const start = z.object({
  path: z.string().regex(/^\/messages\/[^/]+\/processing\/start$/),
  body: z.strictObject({ run_id: z.string() }),
});
const batch = z.object({
  path: z.literal('/messages/processing/end:batch'),
  body: z.object({ runs: z.array(end.shape.body.extend({ message_id: z.string() })).min(2) }),
});
const callsSchema = z.array(z.union([heartbeat, batch, end, start])).min(1);
type Call = z.infer<typeof callsSchema>[number];
type Ended = z.infer<typeof end>['body'];

/** Notation of a shortened text: its original length and the length that is left. */
const cutText = /^<first (\d+) characters of the (\d+) given>$/;
const given = (text: string): string => {
  const length = cutText.exec(text)?.[2];
  return length === undefined ? text : 'x'.repeat(Number(length));
};
const left = (text: string): string => {
  const length = cutText.exec(text)?.[1];
  return length === undefined ? text : 'x'.repeat(Number(length));
};

const withLeft = <T extends { readonly error_text?: string | undefined }>(body: T): T =>
  body.error_text === undefined ? body : { ...body, error_text: left(body.error_text) };

function expectedOf({ path, body }: Call) {
  if ('runs' in body) return { path, body: { runs: body.runs.map(withLeft) } };
  return { path, body: 'status' in body || 'succeeded' in body ? withLeft(body) : body };
}

const runOf = (body: Ended, messageId: string): ProcessingRun => ({
  runId: body.run_id,
  messageId,
  succeeded: body.succeeded,
  ...(body.error_text === undefined ? {} : { errorText: given(body.error_text) }),
});

function act(reporter: StatusReporter, { path, body }: Call): void {
  const messageId = decodeURIComponent(path.split('/')[2] ?? '');
  if ('runs' in body) reporter.processingEnded(body.runs.map((run) => runOf(run, run.message_id)));
  else if ('succeeded' in body) reporter.processingEnded([runOf(body, messageId)]);
  else if ('run_id' in body) reporter.processingStarted({ runId: body.run_id, messageId });
  else if (body.status === 'busy') reporter.set({ status: 'busy', messageId: body.current_message_id ?? '' });
  else if (body.status === 'error')
    reporter.set({ status: 'error', errorText: given(body.error_text ?? '') });
  else reporter.set({ status: 'idle' });
}

export const statusReporterCalls: SlowSection = async (value) => {
  const calls = callsSchema.parse(value);
  const server = createToldServer();
  const clock = createVirtualClock();
  const reporter = new StatusReporter({
    client: server.client,
    clock,
    wheel: createWheel(clock),
    random: createSeededRandom(1),
    log: createRecordingLog(),
  });
  reporter.online();
  for (const call of calls) {
    act(reporter, call);
    // A prompt of the host itself is not reported to the server.
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
