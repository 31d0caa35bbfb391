import { describe, expect, it } from 'vitest';
import { type CommandPlace, chatCommands, readSlash, slashProblem } from './chat-commands.ts';

const guide = { slug: 'guide-1a2b', displayName: 'Guide' };
const ada = { slug: 'ada-3c4d', displayName: 'Ada' };
const place = (change: Partial<CommandPlace> = {}): CommandPlace => ({
  kind: 'dm',
  members: [guide, ada],
  ownAgents: new Set([guide.slug]),
  inThread: false,
  ...change,
});

describe('Commands in messages', () => {
  it.each([
    ['/task sum up', { word: 'task', rest: 'sum up' }],
    [' @guide-1a2b, /TASKS ', { word: 'tasks', rest: '' }],
    ['/task\nline two', { word: 'task', rest: 'line two' }],
    ['/etc/hosts is gone', null],
    ['/1 of 2', null],
    ['\\/task is how it starts', null],
    ['see /task', null],
    ['/', null],
  ])('reads %j', (text, expected) => expect(readSlash(text)).toEqual(expected));

  it('accepts every command in a direct message to an own agent', () => {
    for (const { name, needsText } of chatCommands)
      expect(slashProblem(`/${name}${needsText ? ' sweep' : ''}`, place())).toBeNull();
  });

  it('suggests the command that a mistyped one means', () => {
    expect(slashProblem('/taks sweep', place())).toEqual({ type: 'unknown', word: 'taks', near: 'task' });
    expect(slashProblem('/weather', place())).toEqual({ type: 'unknown', word: 'weather', near: null });
  });

  it('needs the name of an own agent in a channel, except for the whole thread', () => {
    const channel = place({ kind: 'channel' });
    expect(slashProblem('/task sweep', channel)).toEqual({ type: 'needs-agent', word: 'task' });
    expect(slashProblem('@Ada /task sweep', channel)).toEqual({ type: 'needs-agent', word: 'task' });
    expect(slashProblem('@Guide /task sweep', channel)).toBeNull();
    expect(slashProblem('/stop', channel)?.type).toBe('needs-thread');
    expect(slashProblem('/stop', { ...channel, inThread: true })).toBeNull();
    expect(slashProblem('/undo', channel)?.type).toBe('needs-agent');
    expect(slashProblem('/undo', { ...channel, inThread: true })).toBeNull();
  });

  it('says that text is missing or has no effect', () => {
    expect(slashProblem('/task', place())?.type).toBe('needs-text');
    expect(slashProblem('/stop it', place())?.type).toBe('takes-no-text');
  });

  it('leaves text alone in rooms without an own agent', () =>
    expect(slashProblem('/taks', place({ ownAgents: new Set() }))).toBeNull());
});
