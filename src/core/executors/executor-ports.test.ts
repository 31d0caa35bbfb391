import { describe, expect, it } from 'vitest';
import { executorKinds, executorOptionsSchema } from './executor-ports.ts';

describe('the options of an executor', () => {
  it('have the defaults of the reference', () => {
    expect(executorOptionsSchema().parse({})).toEqual({
      allowed_domains: [],
      denied_domains: [],
      allow_local_binding: false,
      deny_read: [],
      allow_read: [],
      allow_write: [],
      deny_write: ['.env'],
      image: 'python',
      memory: 1024,
      timeout: 60,
      pids: 512,
    });
    expect(executorKinds[0]).toBe('subprocess');
  });

  it('take a key without a value as its default, and an empty list as it is', () => {
    const parsed = executorOptionsSchema().parse({ deny_write: [], memory: null });
    expect(parsed).toMatchObject({ deny_write: [], memory: 1024 });
  });

  it.each([
    { allowed_domains: ['https://example.com'] },
    { allowed_domains: ['example.com/path'] },
    { denied_domains: ['*'] },
    { allowed_domains: ['*.*.com'] },
    { memory: 0 },
    { timeout: 0.5 },
    { pids: 1 },
    { deny_read: [''] },
  ])('refuse %o', (options) => {
    expect(executorOptionsSchema().safeParse(options).success).toBe(false);
  });
});
