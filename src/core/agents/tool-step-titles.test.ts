import { describe, expect, it } from 'vitest';
import { englishText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { plainTitle, stepTitle } from './tool-step-titles.ts';

describe('Step titles', () => {
  it('use the present, past or negated form by state', () => {
    expect(englishText(stepTitle('write hello.md', 'running'))).toBe('writing hello.md');
    expect(englishText(stepTitle('write hello.md', 'done'))).toBe('wrote hello.md');
    expect(englishText(stepTitle('write hello.md', 'not_done'))).toBe('did not write hello.md');
    expect(englishText(stepTitle('constructor x', 'done'))).toBe('constructor x');
    expect(englishText(stepTitle('', 'running'))).toBe('');
  });

  it('name the tool and its main argument if there is no preview', () => {
    expect(englishText(stepTitle(plainTitle('bash_exec', { cmd: 'ls -l' }), 'done'))).toBe(
      'used bash_exec on ls -l',
    );
    expect(englishText(plainTitle('whoami', {}))).toBe('use whoami');
  });

  it('keep the key and the values of an action', () => {
    const title = say('actions.writeFile', { path: 'read a.md' });
    const values = { path: 'read a.md' };
    expect(stepTitle(title, 'running')).toEqual({
      key: 'actionsRunning.writeFile',
      values,
      text: 'writing read a.md',
    });
    expect(stepTitle(title, 'not_done')).toMatchObject({
      key: 'steps.notDone',
      text: 'did not write read a.md',
    });
  });
});
