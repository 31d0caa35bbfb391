import { describe, expect, it } from 'vitest';
import { createAgentRig } from '../../../test/fakes/agent-rig.ts';
import { fails, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { defaultRetry, type RetryReport, retryDelay } from './retry.ts';

const failure = (message: string, more = {}) => ({
  error: textError('model_error', message),
  retryable: true,
  ...more,
});

describe('retryDelay', () => {
  it('doubles from 2 s with jitter, three times, and then stops', () => {
    expect([1, 2, 3, 4].map((attempt) => retryDelay(defaultRetry, attempt, failure('503'), 1))).toEqual([
      2_000,
      4_000,
      8_000,
      null,
    ]);
    expect(retryDelay(defaultRetry, 2, failure('503'), 0)).toBe(2_000);
  });

  it('uses the delay that the server asks for, and does not retry above one minute', () => {
    expect(retryDelay(defaultRetry, 1, failure('429', { retryAfterMs: 12_345 }), 0.5)).toBe(12_345);
    expect(retryDelay(defaultRetry, 1, failure('429', { retryAfterMs: 61_000 }), 0.5)).toBeNull();
  });

  it.each([
    'You exceeded your current quota, please check your plan and billing details.',
    'Your credit balance is too low',
    'insufficient_funds',
    'The monthly spending limit is reached',
  ])('does not retry permanent failures: %s', (text) => {
    expect(retryDelay(defaultRetry, 1, failure(text), 0)).toBeNull();
  });
});

describe('Failed request', () => {
  it('is retried before listeners see the failure, and its message is shown once (F11)', async () => {
    const reports: RetryReport[] = [];
    const broken = {
      ...says('half'),
      stopReason: 'error',
      errorMessage: '503',
      failure: { retryable: true },
    } as const;
    const rig = createAgentRig([fails('503', { retryable: true }), broken, says('whole')], {
      onRetry: (report) => reports.push(report),
    });
    const run = rig.agent.prompt('go');
    await rig.clock.runAll(20_000);
    await run;
    expect(rig.texts()).toEqual(['user:go', 'assistant:whole']);
    const assistant = rig.told().filter((each) => each.endsWith(' assistant'));
    expect(assistant).toEqual(['message_start assistant', 'message_end assistant']);
    expect(rig.told().filter((each) => each === 'text_start')).toHaveLength(2);
    expect(reports.map(({ attempt, tries }) => [attempt, tries])).toEqual([
      [1, 3],
      [2, 3],
    ]);
    expect(rig.agent.state.errorMessage).toBeNull();
  });

  it('fails after the last retry with the last error', async () => {
    const rig = createAgentRig(
      Array.from({ length: 5 }, (_, n) => fails(`broken ${n}`, { retryable: true })),
    );
    const run = rig.agent.prompt('go');
    await rig.clock.runAll(60_000);
    await run;
    expect(rig.model.requests).toHaveLength(4);
    expect(rig.agent.state.errorMessage).toBe('broken 3');
  });

  it('is not retried after an abort', async () => {
    const rig = createAgentRig([fails('503', { retryable: true }), says('never')]);
    const run = rig.agent.prompt('go');
    await settle(10);
    rig.agent.abort();
    await run;
    expect(rig.model.requests).toHaveLength(1);
    expect(rig.agent.state.messages.at(-1)).toMatchObject({ stopReason: 'aborted' });
  });
});
