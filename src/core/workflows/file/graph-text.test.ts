import { expect, test } from 'vitest';
import { graphOf } from './graph.ts';
import { graphDotText, linesOf } from './graph-text.ts';
import { definitionFrom, readWorkflow } from './read-workflow.ts';

const read = definitionFrom(
  readWorkflow(
    'name: \'say "hi"\'\nsteps:\n  - {id: a, run: echo}\n  - {id: g, approval: "ok?", on_error: stop}\n  - {id: b, run: echo, when: \'$a.stdout == "x"\'}\n',
  ),
);
if (!read.ok) throw new Error(read.error.message);
const graph = graphOf(read.value);

test('DOT output draws approvals as diamonds and escapes quotes in labels', () => {
  expect(graphDotText(graph).split('\n')).toEqual([
    'digraph workflow {',
    '  "start" [shape=oval,label="say \\"hi\\""];',
    '  "a" [shape=box,label="a: run"];',
    '  "g" [shape=diamond,label="g: approval"];',
    '  "b" [shape=box,label="b: run"];',
    '  "end" [shape=oval,label="end"];',
    '  "start" -> "a";',
    '  "a" -> "g";',
    '  "g" -> "b" [label="$a.stdout == \\"x\\""];',
    '  "b" -> "end";',
    '}',
    '',
  ]);
});

test('The text output lists each step with its next steps', () => {
  expect(linesOf(graph).split('\n')).toEqual([
    'start',
    '  -> a',
    'a [run]',
    '  -> g',
    'g [approval, asks]',
    '  -> b ($a.stdout == "x")',
    'b [run]',
    '  -> end',
    'end',
    '',
  ]);
});
