import { describe, expect, test } from 'vitest';
import { englishText } from '../../language/host-message.ts';
import { chooseTools, type ToolFacts, type ToolNames } from './tool-set.ts';

const tools: readonly ToolFacts[] = [
  { name: 'read_file', group: 'files', core: true },
  { name: 'write_file', group: 'files', core: true },
  { name: 'bash_exec', group: 'core', core: true },
  { name: 'memory_append', group: 'memory', core: false },
  { name: 'send_message', group: 'puffo', core: false },
  { name: 'shell', group: 'shell', core: false },
  { name: 'puppy_run', group: 'puppy', core: false },
  { name: 'llm_task', group: 'puppy', core: false },
  { name: 'code', group: 'code', core: false },
];
const none: ToolNames = { allow: [], alsoAllow: [], deny: [], subagents: [], allowedTools: [] };
const choose = (names: Partial<ToolNames>, subagent = false) =>
  chooseTools(tools, { ...none, ...names }, { subagent });
const offered = (names: Partial<ToolNames>, subagent = false): string =>
  choose(names, subagent)
    .offers.filter((offer) => offer.offered)
    .map(({ name }) => name)
    .join(' ');

const core = 'read_file write_file bash_exec';
const usual = `${core} memory_append send_message`;

describe('Tools of an agent', () => {
  test.each<[string, Partial<ToolNames>, string]>([
    ['everything but the shell by default', {}, usual],
    [
      'an allow-list that names core tools is the whole list',
      { allow: ['read_file', 'puffo'] },
      'read_file send_message',
    ],
    ['an allow-list of optional tools keeps the core tools', { allow: ['memory'] }, `${core} memory_append`],
    ['also for groups written out', { allow: ['group:memory'] }, `${core} memory_append`],
    ['core is more than a group', { allow: ['group:core'] }, core],
    ['a glob names tools', { allow: ['*_file'] }, 'read_file write_file'],
    ['a star does not name the shell', { allow: ['*'] }, usual],
    ['nor does a glob', { alsoAllow: ['sh*'] }, usual],
    ['nor the name of another program', { alsoAllow: ['Bash'] }, usual],
    [
      'workflows are named, as their own documentation spells it',
      { alsoAllow: ['puppy.run'] },
      `${usual} puppy_run`,
    ],
    ['code that calls tools is named', { alsoAllow: ['code'] }, `${usual} code`],
    ['or as models spell it', { alsoAllow: ['puppy_run'] }, `${usual} puppy_run`],
    ['or by their group', { alsoAllow: ['group:puppy'] }, `${usual} puppy_run llm_task`],
    [
      'a question to its model is named, as workflow files spell it',
      { alsoAllow: ['llm-task'] },
      `${usual} llm_task`,
    ],
    ['a star names no workflows', { alsoAllow: ['puppy_*'] }, usual],
    ['the shell is named', { alsoAllow: ['shell'] }, `${usual} shell`],
    ['or its group', { alsoAllow: ['group:shell'] }, `${usual} shell`],
    ['a list of the shell alone keeps the core tools', { allow: ['shell'] }, `${core} shell`],
    [
      'deny wins over allow',
      { allow: ['*'], alsoAllow: ['shell'], deny: ['shell', 'files'] },
      'bash_exec memory_append send_message',
    ],
    ['deny of everything', { alsoAllow: ['shell'], deny: ['*'] }, ''],
    ['alsoAllow adds to a list', { allow: ['read_file'], alsoAllow: ['memory'] }, 'read_file memory_append'],
    [
      'old patterns gate all but the chat',
      { allowedTools: ['Read', 'Bash(git *)'] },
      'read_file bash_exec send_message',
    ],
    ['an old star allows all', { allowedTools: ['*'] }, usual],
    ['old names of the chat tools', { allowedTools: ['mcp__puffo__send_message'] }, 'send_message'],
    ['an own list makes old patterns void', { allow: ['read_file'], allowedTools: ['*'] }, 'read_file'],
  ])('offers the right tools: %s', (_name, names, expected) => {
    expect(offered(names)).toBe(expected);
  });

  test('sub-agents have at most their listed tools, out of those of the agent', () => {
    expect(offered({ subagents: ['files', 'shell'] }, true)).toBe('read_file write_file');
    expect(offered({}, true)).toBe(usual);
    expect(offered({ subagents: ['files'] })).toBe(usual);
  });

  test('every tool has a reason', () => {
    const why = Object.fromEntries(
      choose({ allow: ['memory'], deny: ['bash_exec'] }).offers.map((o) => [o.name, englishText(o.why)]),
    );
    expect(why).toEqual({
      read_file: 'A core tool; the allow-list names only others.',
      write_file: 'A core tool; the allow-list names only others.',
      bash_exec: 'Denied by "bash_exec".',
      memory_append: 'Allowed by "memory".',
      send_message: 'Not in the allow-list.',
      shell: 'Off until you turn it on for this agent.',
      puppy_run: 'Off until you turn it on for this agent.',
      llm_task: 'Off until you turn it on for this agent.',
      code: 'Off until you turn it on for this agent.',
    });
  });

  test('unknown names get a suggestion', () => {
    expect(choose({ allow: ['raed_file', 'puppy', 'zzz'], deny: ['group:fils'] }).unknown).toEqual([
      { name: 'raed_file', suggestion: 'read_file' },
      { name: 'zzz', suggestion: null },
      { name: 'group:fils', suggestion: 'group:files' },
    ]);
  });
});

test('In unattended mode, workflow tools must be named one by one', () => {
  const of = (name: string) =>
    chooseTools(tools, { ...none, alsoAllow: [name] }, { unattended: true }).offers.find(
      (offer) => offer.name === 'puppy_run',
    )?.offered;
  expect([of('puppy'), of('group:puppy'), of('puppy.run')]).toEqual([false, false, true]);
});
