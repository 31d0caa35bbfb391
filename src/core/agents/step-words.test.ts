import { describe, expect, it } from 'vitest';
import { plainTitle, stepTitle } from './step-words.ts';

describe('Step titles', () => {
  it('use the present, past or negated form by state', () => {
    expect(stepTitle('write hello.md', 'running')).toBe('writing hello.md');
    expect(stepTitle('write hello.md', 'done')).toBe('wrote hello.md');
    expect(stepTitle('write hello.md', 'not_done')).toBe('did not write hello.md');
    expect(stepTitle('constructor x', 'done')).toBe('constructor x');
    expect(stepTitle('', 'running')).toBe('');
  });

  it('name the tool and its main argument if there is no preview', () => {
    expect(stepTitle(plainTitle('bash_exec', { cmd: 'ls -l' }), 'done')).toBe('used bash_exec on ls -l');
    expect(plainTitle('whoami', {})).toBe('use whoami');
  });
});
