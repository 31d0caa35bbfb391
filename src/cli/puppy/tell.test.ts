import { expect, it } from 'vitest';
import { questionText } from './tell.ts';

const waiting: Parameters<typeof questionText>[0] = {
  ...({ protocolVersion: 1, ok: true, status: 'waiting', runId: 'r1', output: [] } as const),
  ...{ requiresApproval: null, requiresInput: null },
};

it('names a time only where there is one: a run that was left while it worked has none', () => {
  expect(questionText({ ...waiting, wakeAt: 3_600_000 })).toContain('until 1970-01-01T01:00:00.000Z');
  expect(questionText(waiting)).toContain('not over yet');
  expect(questionText(waiting)).not.toContain('1970');
});
