import { expect, it } from 'vitest';
import { gateQuestionText } from './tell.ts';

const waiting: Parameters<typeof gateQuestionText>[0] = {
  ...({ protocolVersion: 1, ok: true, status: 'waiting', runId: 'r1', output: [] } as const),
  requiresApproval: null,
  requiresInput: null,
};

it('Questions show integers beyond double precision exactly', () => {
  const asks = {
    type: 'approval_request',
    prompt: 'Go?',
    items: [{ n: 9007199254740993n }],
    resumeToken: 't',
  } as const;
  expect(gateQuestionText({ ...waiting, status: 'needs_approval', requiresApproval: asks })).toContain(
    '9007199254740993',
  );
  const input = {
    type: 'input_request',
    prompt: 'Which?',
    responseSchema: {},
    subject: 12345678901234567890n,
    resumeToken: 't',
  } as const;
  expect(gateQuestionText({ ...waiting, status: 'needs_input', requiresInput: input })).toContain(
    'About: 12345678901234567890',
  );
});

it('A waiting run shows a wake time only if it has one', () => {
  expect(gateQuestionText({ ...waiting, wakeAt: 3_600_000 })).toContain('until 1970-01-01T01:00:00.000Z');
  expect(gateQuestionText(waiting)).toContain('has not ended');
  expect(gateQuestionText(waiting)).not.toContain('1970');
});
