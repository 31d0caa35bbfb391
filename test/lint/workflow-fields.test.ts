import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withFieldTable } from '../../scripts/lib/workflow-field-table.ts';
import { pipelineNames } from '../../src/contract/workflow-fields.ts';
import { readWorkflow } from '../../src/core/workflows/file/read-workflow.ts';
import { pipelineCommandNames } from '../../src/core/workflows/pipeline/command-table.ts';
import { insertedKinds, stepInsertion } from '../../src/renderer/workflows/editor/insert-step.ts';

it('docs/workflow-format.md explains each field as the editor does (node scripts/workflow-fields.ts writes it)', () => {
  const written = readFileSync(path.resolve(import.meta.dirname, '../../docs/workflow-format.md'), 'utf8');
  expect(written).toContain('| a step | `on_error` |');
  expect(withFieldTable(written)).toBe(written);
});

it('The editor completes the pipeline commands of the engine', () => {
  expect(pipelineNames).toEqual(pipelineCommandNames);
});

it.each(insertedKinds)('Insert step: %s is a step that the check accepts as its kind', (kind) => {
  const text = 'name: x\nsteps:\n  - id: step\n    run: echo a\n';
  const { at, insert } = stepInsertion(text, text.length - 2, kind);
  const { definition, findings } = readWorkflow(text.slice(0, at) + insert + text.slice(at));
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(definition?.steps[1]?.kind).toBe(kind.replace('llm_task', 'llm-task'));
});
