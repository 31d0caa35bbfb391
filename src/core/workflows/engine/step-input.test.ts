import { expect, it } from 'vitest';
import { workflow } from '../../../../test/fakes/workflow-rig.ts';
import type { Step, TemplateScope } from '../file/definition.ts';
import { withParsed } from './kept-result.ts';
import { handedOn } from './step-input.ts';

const json = `[${'"0123456789",'.repeat(2_000)}1]`;
const wide = json.replace(',', ', ');

function lastStep(text: string): Step {
  const step = workflow(text).steps.at(-1);
  if (!step) throw new Error('a step');
  return step;
}

const scopeOf = (stdout: string, loop: TemplateScope['loop'] = {}): TemplateScope => ({
  args: {},
  steps: { a: withParsed(stdout) },
  loop,
});

it('A JSON output is piped to a program as its original text, without parsing', () => {
  const program = lastStep('steps: [{id: a, run: x}, {id: b, run: y, stdin: $a.json}]');
  const { steps, ...rest } = scopeOf(`${json}\n`);
  const parses = (): never => {
    throw new Error('it was parsed');
  };
  const result = Object.defineProperty(steps.a ?? {}, 'json', { get: parses });
  expect(handedOn(program, { ...rest, steps: { a: result } })).toBe(json);
});

it('Program input is the parsed value if the JSON text is not canonical or a field is selected', () => {
  const program = lastStep('steps: [{id: a, run: x}, {id: b, run: y, stdin: $a.json}]');
  expect(handedOn(program, scopeOf(wide))).toEqual(JSON.parse(json));
  const deeper = lastStep('steps: [{id: a, run: x}, {id: b, run: y, stdin: $a.json.0}]');
  expect(handedOn(deeper, scopeOf(json))).toBe('0123456789');
  expect(handedOn(program, scopeOf('"only words"'))).toBe('only words');
});

it('A pipeline receives the parsed value, and a program in a loop receives its item', () => {
  const stages = lastStep('steps: [{id: a, run: x}, {id: b, pipeline: json, stdin: $a.json}]');
  expect(handedOn(stages, scopeOf(json))).toEqual(JSON.parse(json));
  const program = lastStep('steps: [{id: a, run: x}, {id: b, run: y, stdin: $a.json}]');
  expect(handedOn(program, scopeOf(json, { a: { json: 'item' } }))).toBe('item');
  expect(handedOn(lastStep('steps: [{id: b, run: y}]'), scopeOf(json))).toBeUndefined();
});
