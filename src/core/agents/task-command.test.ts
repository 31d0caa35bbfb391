import { describe, expect, it } from 'vitest';
import { isSaidTo, taskCommand } from './task-command.ts';

describe('Task commands in the chat', () => {
  it.each([
    ['/task sum up', { type: 'task', goal: 'sum up' }],
    ['  @guide-1a2b, /task two\nlines ', { type: 'task', goal: 'two\nlines' }],
    ['/TASK x', { type: 'task', goal: 'x' }],
    ['/task', { type: 'task', goal: '' }],
    ['/tasks', { type: 'tasks' }],
    ['@a-1 @b-2: /tasks', { type: 'tasks' }],
    ['/taskforce x', null],
    ['/tasks of mine', null],
    ['please /task x', null],
    ['task x', null],
    ['', null],
  ])('parses %j as %j', (text, command) => {
    expect(taskCommand(text)).toEqual(command);
  });

  it('are for the agents mentioned at the start', () => {
    expect(isSaidTo('guide-1a2b', '@guide-1a2b: /task x')).toBe(true);
    expect(isSaidTo('guide-1a2b', '@other-1 , @guide-1a2b /task x')).toBe(true);
    expect(isSaidTo('guide-1a2b', '@guide-1a2b9 /task tell @guide-1a2b')).toBe(false);
    expect(isSaidTo('guide-1a2b', '/task tell @guide-1a2b')).toBe(false);
  });
});
