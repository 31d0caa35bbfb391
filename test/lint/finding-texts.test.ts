// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are templates of a workflow file
import { describe, expect, it } from 'vitest';
import { readWorkflow } from '../../src/core/workflows/file/read-workflow.ts';
import { hostGerman } from '../../src/language/german/host.ts';
import { findTemplate, type HostText } from '../../src/language/host-message.ts';

const steps = (...all: readonly string[]): string =>
  `args: {who: {default: x}}\nsteps:\n${all.map((step) => `  - ${step}`).join('\n')}\n`;

/** Frequent YAML mistakes and their line and column. */
const broken: readonly (readonly [string, string, string])[] = [
  ['a tab', 'steps:\n\t- id: a\n', '2:1'],
  ['an indent', 'steps:\n  - id: a\n    run: x\n   when: y\n', '4:1'],
  ['an indent of a map', 'a:\n  b: 1\n c: 2\n', '3:1'],
  ['a list that is indented otherwise', 'steps:\n  - a\n - b\n', '3:1'],
  ['a name twice', 'name: a\nsteps: []\nname: b\n', '3:1'],
  ['an open quote', 'name: "x\nb: 2\n', '3:1'],
  ['an open single quote', "name: 'x\nb: 2\n", '3:1'],
  ['no colon', 'steps:\n  - id: a\n    run echo\n    x: 1\n', '3:5'],
  ['two colons', 'steps:\n  - id: a\n    run: echo: x\n', '3:10'],
  ['an open bracket', 'a: [1, 2\nb: 3\n', '2:1'],
  ['an open brace', '{"a": 1', '1:8'],
  ['a bracket too many', 'a: ]\n', '1:4'],
  ['two commas', 'a: [1,, 2]\n', '1:7'],
  ['no comma', 'a: ["x" "y"]\n', '1:9'],
  ['no comma in a map', 'a: {x: 1 y: 2}\n', '1:8'],
  ['a sign that begins nothing', 'a: @x\n', '1:4'],
  ['a backslash', 'a: "\\q"\n', '1:5'],
  ['a comment too near', 'a: "x"#c\n', '1:7'],
  ['a text behind its mark', 'a: | x\n  y\n', '1:6'],
  ['words behind a quote', 'a: "x" y\n', '1:8'],
  ['two documents', 'a: 1\n---\nb: 2\n', '2:1'],
  ['an alias', 'a: &x 1\nb: *x\n', '1:7'],
];

/** One sample for each finding of the workflow check. */
const doubtful: readonly string[] = [
  'steps: 5\n',
  'name: x\n',
  'nam: x\nsteps: []\n',
  'timeout: soon\nsteps: [{id: a, run: x}]\n',
  'timeout: 1m\ntimeout_ms: 5\nsteps: [{id: a, run: x}]\n',
  'args: {a: 5}\nsteps: [{id: a, run: x}]\n',
  'args: {a: {type: txt}}\nsteps: [{id: a, run: x}]\n',
  'args: {n: {type: integer, default: x}}\nsteps: [{id: a, run: x}]\n',
  'env: {A: $a.stdout}\nsteps: [{id: a, run: x}]\n',
  steps('{run: x}', '{id: a, run: x}', '{id: a, run: y}'),
  steps('{id: a, run: x, aproval: ok}', '{id: b, run: 5}', '{id: c}'),
  steps('{id: a, run: x, on_error: no}', '{id: b, run: x, retry: {max: 0}}', '{id: c, run: x, retry: {}}'),
  steps('{id: a, run: x, pipeline: head}', '{id: b, sleep: 1h, stdin: x}', '{id: c, agent: bob}'),
  steps('{id: a, run: x, when: "1 =="}', '{id: b, run: x, when: "a (b"}'),
  steps('{id: g, approval: {prompt: x, approvers: [a], needed: 2}}', '{id: h, approval: ""}'),
  steps('{id: a, input: {prompt: x, on_reject: cancel, needed: 2}}', '{id: i, input: {prompt: ""}}'),
  steps('{id: l, for_each: x, steps: [{id: a, run: x}]}', '{id: m, for_each: $l.json}'),
  steps('{id: a, run: "echo $b.stdout $lst.json $a.stdot ${whoo} $${who}"}', '{id: b, run: x}'),
  steps('{id: a, run: "echo $b.stdout"}', '{id: b, run: "cat <<X\\n${who}\\nX", cwd: /etc}'),
  steps('{id: a, run: "echo ${raw:who}; python3 -c ${who}; sed s/a/${who}/ x; jq .${who}", env: {"a-b": x}}'),
  steps('{id: a, run: "sqlite3 my.db ${who}", effect: once, retry: {max: 2}}', '{id: s, sleep: {until: x}}'),
  steps('{id: a, pipeline: "hed | head --n x | where", effect: once}', '{id: b, pipeline: "head |"}'),
  steps(
    '{id: a, run: x, when: "1 == 2"}',
    '{id: b, run: x, when: $a.approved}',
    '{id: c, run: "echo $a.reason"}',
  ),
  steps('{id: a, run: x, approval: ok?}', '{id: g, approval: {prompt: ok?, needed: 2}}'),
  steps('{id: g, approval: ok?}', '{id: n, run: x, when: "$g.approved == false"}'),
  steps('{id: p, parallel: {wait: any, branches: [{id: g, pipeline: approve}]}}'),
  steps(
    '{id: i, input: {prompt: x, response_schema: {type: txt}}}',
    '{id: j, input: {prompt: x, response_schema: 5}}',
  ),
];

describe('what the check of a workflow file finds', () => {
  /** Without words of a program: what a finding says is in the catalogs. */
  const isTranslated = (text: HostText): boolean =>
    typeof text !== 'string' && findTemplate(hostGerman, text.key) !== undefined;
  const withoutGerman = (text: string): readonly HostText[] =>
    readWorkflow(text)
      .findings.flatMap(({ message, hint = '' }) => [message, hint])
      .filter((said) => said !== '' && !isTranslated(said));

  it.each(broken)('names the place of %s, and says in German what is wrong', (_, text, place) => {
    const [first] = readWorkflow(text).findings;
    expect(`${first?.line}:${first?.column}`).toBe(place);
    expect(withoutGerman(text)).toEqual([]);
    expect(JSON.stringify(first?.message)).not.toContain('libraryMessage');
  });

  it.each(doubtful)('has a place and a German sentence: %j', (text) => {
    const { findings } = readWorkflow(text);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.filter(({ line, column }) => line < 1 || column < 1)).toEqual([]);
    expect(withoutGerman(text)).toEqual([]);
  });

  it('names the field, and of one that does not exist its name', () => {
    const places = (text: string) =>
      readWorkflow(text).findings.map(({ line, column }) => `${line}:${column}`);
    expect(places('steps:\n  - id: a\n    run: echo\n    aproval: yes\n')).toEqual(['4:5']);
    expect(places('steps:\n  - id: a\n    run: echo\n    cwd: /etc\n')).toEqual(['4:10']);
    expect(
      places('steps:\n  - id: a\n    command: echo `date ${raw:who}`\nargs: {who: {default: x}}\n'),
    ).toEqual(['3:14']);
    expect(places('steps:\n  - id: a\n    run: echo\n    retry:\n      max: 0\n')).toEqual(['5:12']);
  });
});
