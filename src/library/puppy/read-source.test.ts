import { describe, expect, it } from 'vitest';
import { processorMs, promised } from '../../../test/fakes/patience.ts';
import { formOf } from './read-source.ts';

describe('Source form detection', () => {
  it.each([
    ['the text of a file', 'name: x\nsteps:\n  - id: a'],
    ['the text of a file in JSON', '{\n  "steps": []\n}'],
    ['the same on its first line', '{ "steps":\n[] }'],
  ])('recognizes a workflow text: %s', (_, text) => expect(formOf(text)).toEqual({ text }));

  it.each([
    ['a pipeline that names steps', 'exec echo steps: x'],
    ['a pipeline that ends with the name of a file', 'exec --json cat items.json'],
    ['a pipeline on two lines', "template --text 'a\n no steps: b'"],
  ])('recognizes a pipeline: %s', (_, pipeline) => expect(formOf(pipeline)).toEqual({ pipeline }));

  it('recognizes a file name', () => expect(formOf(' a/b.puppy ')).toEqual({ file: 'a/b.puppy' }));

  it.each(['\n', ' ', '{ ', '\t\n'])('is linear for repeated %j (T25)', (piece) => {
    const text = `${piece.repeat(50_000)}x\n`;
    const before = processorMs();
    expect(formOf(text)).toEqual({ pipeline: text });
    expect(processorMs() - before).toBeLessThan(promised(1_000));
  });
});
