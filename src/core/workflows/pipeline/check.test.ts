import { describe, expect, it } from 'vitest';
import { englishText } from '../../../language/host-message.ts';
import { checkStages, effectOf, preparePipeline, problemError } from './check.ts';
import { pipelineCommands } from './command-table.ts';
import { type PipelineProblem, parsePipeline } from './parse.ts';

const inEnglish = ({ message, hint }: PipelineProblem) => ({
  message: englishText(message),
  hint: hint === null ? null : englishText(hint),
});

const problemsOf = (text: string, options = {}): readonly { message: string; hint: string | null }[] => {
  const prepared = preparePipeline(text, options);
  return prepared.ok ? [] : prepared.error.map(inEnglish);
};

const deferredProblems = (text: string): readonly { message: string }[] => {
  const stages = parsePipeline(text);
  if (!stages.ok) throw new Error('unread');
  return checkStages(stages.value, { isDeferred: (word) => word.startsWith('$') }).map(inEnglish);
};

describe('Pipeline check', () => {
  const refused: [string, string, string | null][] = [
    ["exec --shell 'echo x' | nope", 'Unknown command: nope', 'commands.list'],
    ['exec a | hed', 'Unknown command: hed', 'Did you mean head?'],
    ['head --m 3', 'Unknown flag of head: --m', '--n'],
    ['sort --dsc', 'Unknown flag of sort: --dsc', 'Did you mean --desc?'],
    ['head --n x', '--n of head must be a non-negative whole number', null],
    ['head --n -1', 'non-negative', null],
    ['head --n 1.5', 'non-negative', null],
    ['head --n', '--n needs a value', null],
    ['head 3', 'head takes no words', null],
    ['where foo', 'Invalid where expression: foo', 'path OP value'],
    ['where', 'where needs a condition', null],
    ['where k = 2', 'where takes only 1 word', 'quotes'],
    ['where a= ', 'Invalid where expression', null],
    ['pick a,,b', 'pick needs names', null],
    ['groupBy', 'groupBy needs --key', null],
    ['sort --key a..b', 'path cannot be read', null],
    ['map', 'map needs', null],
    ['map x', 'no field=template', null],
    ["map x='{{a | shout}}'", 'Unknown template filter: shout', null],
    ["template '{{a'", 'not closed', null],
    ['template', 'template needs one of', null],
    ['template --text a --file b', 'template needs one of', null],
    ['exec', 'exec needs either', null],
    ['exec --shell a b', 'exec needs either', null],
    ['exec --stdin lines cat', 'must be one of raw, json, jsonl', null],
    ['exec --json=maybe cat', 'must be true or false', null],
    ["ask --schema '{'", 'must be valid JSON', null],
    ["ask --schema '[]'", 'must be a JSON object', null],
    ["state.get ''", 'A key has 1 to 512', null],
    ['diff.last', 'diff.last needs --key', null],
    ['openclaw.invoke --tool a', 'needs --action', null],
    ['openclaw.invoke --tool a --action b --url ftp://x', '--url must be', null],
    ['openclaw.invoke --tool a --action b --url http://u:p@x', '--url must be', null],
    ['llm.invoke', 'needs --prompt', null],
    ['llm.invoke --prompt a --provider nobody', 'must be one of', null],
    ['openclaw.agent --prompt a', 'Unknown command', null],
    ['head | ', 'Empty command stage', null],
  ];
  it.each(refused)('refuses %s', (text, message, hint) => {
    const [first] = problemsOf(text);
    expect(first?.message).toContain(message);
    if (hint !== null) expect(first?.hint).toContain(hint);
  });

  it('reports all problems at once, each with its position', () => {
    const text = 'exec a | hed --n 3 |\n  sort --dsc --key';
    const prepared = preparePipeline(text);
    if (prepared.ok) throw new Error('was taken');
    expect(prepared.error.map((problem) => problemError(text, problem).where)).toEqual([
      'stage 2, column 10',
      'stage 3, line 2, column 8',
      'stage 3, line 2, column 14',
    ]);
  });

  it.each([
    "exec --json --shell 'cat x' | where v=1 | pick a,b | head",
    'exec printf %s --hello --json --nope | head --n 0',
    'exec -- --strange',
    'template -- --text',
    'map --wrap=--x',
    'head --n 1 --n 2',
    'llm_task.invoke --prompt a --provider openclaw',
    'fluffbuzz.invoke --tool a --action b',
    'clawd.invoke --tool a --action b --url https://example.com --token t',
    'approve --emit --preview-from-stdin --limit 3 --prompt ok',
  ])('accepts %s', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it('refuses an address, a token or a session chosen by an agent', () => {
    const text = 'openclaw.invoke --tool a --action b --url http://localhost --token t --session-key s';
    expect(problemsOf(text, { byAgent: true })).toHaveLength(3);
    expect(problemsOf(text)).toEqual([]);
  });

  it('accepts deferred values but reports unknown flags and commands', () => {
    expect(deferredProblems('head --n $n | where $x')).toEqual([]);
    expect(deferredProblems('head --m $n')[0]?.message).toContain('Unknown flag');
    expect(deferredProblems('exec $x | nope')[0]?.message).toContain('Unknown command');
    expect(deferredProblems('$x')[0]?.message).toContain('Unknown command');
  });

  it('accepts the examples of every command', () => {
    for (const example of pipelineCommands.flatMap((command) => command.examples)) {
      expect([example, problemsOf(example)]).toEqual([example, []]);
    }
  });

  it('derives the effect of a pipeline from its stages', () => {
    const effect = (text: string) => {
      const prepared = preparePipeline(text);
      return prepared.ok ? effectOf(prepared.value) : null;
    };
    expect(effect('head | where a=1')).toBe('pure');
    expect(effect('state.get a | head')).toBe('idempotent');
    expect(effect('state.get a | exec rm x')).toBe('once');
  });
});
