/** The table of all fields in docs/workflow-format.md, from the help texts of the editor. */
import { type FieldGroup, workflowFields, workflowFieldValues } from '../../src/contract/workflow-fields.ts';
import { english } from '../../src/language/english.ts';

const titles: Readonly<Record<FieldGroup, string>> = {
  file: 'the file',
  arg: 'an argument',
  cost_limit: '`cost_limit`',
  step: 'a step',
  approval: '`approval`',
  input: '`input`',
  gate: 'every question',
  outcome: '`on_reject`, `on_timeout`',
  agent: '`agent`',
  llm_task: '`llm_task`',
  parallel: '`parallel`',
  retry: '`retry`',
  sleep: '`sleep`',
};

const texts: Readonly<Record<string, string>> = english.workflowFields;
const values: Readonly<Record<string, readonly string[] | undefined>> = workflowFieldValues;

function rowOf(group: FieldGroup, field: string): string {
  const key = `${group}_${field}`;
  const allowed = values[key]?.map((value) => `\`${value}\``).join(', ') ?? '';
  return `| ${titles[group]} | \`${field}\` | ${texts[key]} | ${allowed} |`;
}

const [start, end] = ['<!-- fields -->', '<!-- /fields -->'];

/** The document with the table between its marks. */
export function withFieldTable(document: string): string {
  const groups = Object.keys(workflowFields) as FieldGroup[];
  const rows = groups.flatMap((group) => workflowFields[group].map((field) => rowOf(group, field)));
  const table = ['| Of | Field | Meaning | Values |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const [before, after] = [document.split(start)[0], document.split(end)[1]];
  return `${before}${start}\n${table}\n${end}${after}`;
}
