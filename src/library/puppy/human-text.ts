/** The output of a run as a person reads it: indented JSON, or what the last stage of its pipeline asks for. */
import type { Json, WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { printTemplate } from '../../core/workflows/file/template.ts';
import type { ShowFormat } from '../../core/workflows/pipeline/command.ts';
import type { JsonValue } from '../../core/workflows/pipeline/exact-json.ts';
import { parsePipeline } from '../../core/workflows/pipeline/parse.ts';
import { showItems } from '../../core/workflows/pipeline/show-items.ts';
import { checkSource } from './check-source.ts';
import { formOf, type WorkflowSource } from './read-source.ts';

function formatOfText(pipeline: string): ShowFormat {
  const stages = parsePipeline(pipeline);
  const names = stages.ok ? stages.value.map(({ tokens }) => tokens[0].text) : [];
  return names.findLast((name) => name === 'table' || name === 'json') === 'table' ? 'table' : 'json';
}

function formatOfDefinition(definition: WorkflowDefinition | null): ShowFormat {
  const last = definition?.steps.at(-1);
  return last?.kind === 'pipeline' ? formatOfText(printTemplate(last.pipeline)) : 'json';
}

/** Looked up when the run begins: its file may be another when it ends. */
export function formatOf(source: WorkflowSource, root: string): ShowFormat {
  const form = formOf(source);
  if ('pipeline' in form && typeof form.pipeline === 'string') return formatOfText(form.pipeline);
  return formatOfDefinition(checkSource(form, root).definition);
}

export const outputText = (items: readonly Json[], format: ShowFormat): string =>
  showItems(items as readonly JsonValue[], format);
