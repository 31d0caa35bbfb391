/** Output of a run for people: indented JSON, or the format of the pipeline's last stage. */
import path from 'node:path';
import type { Json } from '../../core/workflows/file/definition.ts';
import { readWorkflow } from '../../core/workflows/file/read-workflow.ts';
import { printTemplate } from '../../core/workflows/file/template.ts';
import type { ShowFormat } from '../../core/workflows/pipeline/command.ts';
import type { JsonValue } from '../../core/workflows/pipeline/exact-json.ts';
import { parsePipeline } from '../../core/workflows/pipeline/parse.ts';
import { showItems } from '../../core/workflows/pipeline/show-items.ts';
import { formOf, readTextFile, type WorkflowSource } from './read-source.ts';

function formatOfText(pipeline: string): ShowFormat {
  const stages = parsePipeline(pipeline);
  const names = stages.ok ? stages.value.map(({ tokens }) => tokens[0].text) : [];
  return names.findLast((name) => name === 'table' || name === 'json') === 'table' ? 'table' : 'json';
}

/** Parses the file only if it may contain the word, which YAML can also spell with a backslash. */
function formatOfFile(text: string): ShowFormat {
  if (!/table|\\/.test(text)) return 'json';
  const last = readWorkflow(text).definition?.steps.at(-1);
  return last?.kind === 'pipeline' ? formatOfText(printTemplate(last.pipeline)) : 'json';
}

/** Determined when the run starts, because its file may change until the end. */
export function formatOf(source: WorkflowSource, root: string): ShowFormat {
  const form = formOf(source, root);
  if ('pipeline' in form && typeof form.pipeline === 'string') return formatOfText(form.pipeline);
  if ('text' in form && typeof form.text === 'string') return formatOfFile(form.text);
  const text =
    'file' in form && typeof form.file === 'string' ? readTextFile(path.resolve(root, form.file)) : null;
  return text?.ok ? formatOfFile(text.value) : 'json';
}

export const humanOutputText = (items: readonly Json[], format: ShowFormat): string =>
  showItems(items as readonly JsonValue[], format);
