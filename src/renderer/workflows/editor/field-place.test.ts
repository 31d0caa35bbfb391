import { describe, expect, it } from 'vitest';
import { argNames, fieldKey, fieldPlace, listedStep, stepIds } from './field-place.ts';

/** The place at the mark `^` in a text. */
function at(marked: string): string {
  const offset = marked.indexOf('^');
  const text = marked.replace('^', '');
  const { group, field, inValue, from } = fieldPlace(text, offset);
  return `${group} ${field || '-'} ${inValue ? 'value' : 'name'} "${text.slice(from, offset)}"`;
}

const steps = (body: string): string => `name: x\nsteps:\n  - id: one\n    run: echo\n${body}`;

describe('The place of a position in a workflow file', () => {
  it.each([
    ['na^', 'file na name "na"'],
    ['na^me: x', 'file name name "na"'],
    ['name: x^', 'file name value "x"'],
    ['args:\n  who:\n    ty^', 'arg ty name "ty"'],
    ['args:\n  wh^', 'null wh name "wh"'],
    [steps('    on_e^'), 'step on_e name "on_e"'],
    [steps('    effect: ^'), 'step effect value ""'],
    [steps('    ^'), 'step - name ""'],
    [steps('  - i^'), 'step i name "i"'],
    [steps('    approval:\n      pro^'), 'approval pro name "pro"'],
    [steps('    approval: {prompt: Go, on_re^'), 'approval on_re name "on_re"'],
    [steps('    approval: {prompt: "a, {b", on_reject: ca^'), 'approval on_reject value "ca"'],
    [steps('    retry: {max: 2}\n    ^'), 'step - name ""'],
    [steps('    parallel:\n      branches:\n        - id: a\n          ru^'), 'step ru name "ru"'],
    [steps('    llm_task:\n      fallback:\n      - id: a\n        ru^'), 'step ru name "ru"'],
    [
      steps('    approval:\n      on_reject:\n        steps:\n          - id: a\n            ru^'),
      'step ru name "ru"',
    ],
    [steps('    run: |\n      echo: a\n      on_e^'), 'step run value ""'],
    ['name: x\nsteps:\n- id: one\n  eff^', 'step eff name "eff"'],
    [steps('    env:\n      A^'), 'null A name "A"'],
    ['# na^', 'null - name ""'],
  ])('%j', (marked, expected) => {
    expect(at(marked)).toBe(expected);
  });

  it('Questions share the texts about their fields', () => {
    expect(fieldKey('approval', 'prompt')).toBe('approval_prompt');
    expect(fieldKey('input', 'on_reject')).toBe('gate_on_reject');
    expect(fieldKey('step', 'on_reject')).toBeNull();
  });

  it('The innermost step of a line is found, also between its fields', () => {
    const text = steps('    parallel:\n      branches:\n        - id: a\n          run: x\n\n  - id: two\n');
    const lines = text.split('\n');
    const line = (part: string): number => lines.findIndex((each) => each.includes(part));
    expect(listedStep(text, line('run: x'))).toEqual({ indent: 8, line: line('id: a') });
    expect(listedStep(text, line('branches'))).toEqual({ indent: 2, line: line('id: one') });
    expect(listedStep(text, line('id: two'))).toEqual({ indent: 2, line: line('id: two') });
    expect(listedStep(text, 0)).toBeNull();
  });

  it('Steps and arguments are listed', () => {
    const text =
      'args:\n  who: {type: string}\n  # note\n  when:\n    default: 1\nsteps:\n  - {id: a, run: x}\n  - id: b\n';
    expect(stepIds(text)).toEqual(['a', 'b']);
    expect(argNames(text)).toEqual(['who', 'when']);
  });
});
