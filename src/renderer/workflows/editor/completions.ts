/** Suggests fields, their values, references to steps and arguments, agents, files and pipeline commands. */
import {
  type FieldGroup,
  type FieldKey,
  pipelineNames,
  stepResults,
  workflowFields,
  workflowFieldValues,
} from '../../../contract/workflow-fields.ts';
import { argNames, type FieldPlace, fieldKey, fieldPlace, stepIds } from './field-place.ts';

export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'reference' | 'agent' | 'file' | 'command';
  /** The inserted text, if it differs from the label. */
  readonly apply?: string;
  /** For a field: the key of its help. */
  readonly help?: FieldKey | null;
}

export interface Suggestions {
  readonly from: number;
  readonly options: readonly Suggestion[];
}

/** Names of other things that the text can use. */
export interface CompletionNames {
  readonly agents: readonly string[];
  readonly files: readonly string[];
}

function fieldsOf(group: FieldGroup): readonly Suggestion[] {
  const shared = group === 'approval' || group === 'input' ? workflowFields.gate : [];
  return [...workflowFields[group], ...shared].map((field) => ({
    label: field,
    kind: 'field',
    apply: `${field}: `,
    help: fieldKey(group, field),
  }));
}

function references(text: string, offset: number): Suggestions | null {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const as = (kind: Suggestion['kind'], labels: readonly string[]): readonly Suggestion[] =>
    [...new Set(labels)].map((label) => ({ label, kind }));
  const result = /\$([\w-]+)\.(\w*)$/.exec(line);
  if (result !== null)
    return { from: offset - (result[2] ?? '').length, options: as('reference', stepResults) };
  const arg = /\$\{(\w*)$/.exec(line);
  if (arg !== null) {
    const from = offset - (arg[1] ?? '').length;
    const closed = text[offset] === '}' ? '' : '}';
    return {
      from,
      options: argNames(text).map((label) => ({ label, kind: 'reference', apply: label + closed })),
    };
  }
  const step = /(^|[^\\$])\$([\w-]*)$/.exec(line);
  if (step === null) return null;
  const steps = stepIds(text).map((id) => `$${id}`);
  const args = argNames(text).map((name) => `\${${name}}`);
  return { from: offset - (step[2] ?? '').length - 1, options: as('reference', [...steps, ...args]) };
}

function values(
  place: FieldPlace,
  known: CompletionNames,
  typed: string,
  offset: number,
): Suggestions | null {
  const { group, field, from } = place;
  if (group === null) return null;
  const as = (kind: Suggestion['kind'], labels: readonly string[]): Suggestions => ({
    from,
    options: labels.map((label) => ({ label, kind })),
  });
  if (group === 'agent' && field === 'name') return as('agent', known.agents);
  if (group === 'step' && field === 'workflow') return as('file', known.files);
  if (group === 'step' && field === 'pipeline') {
    const word = /(?:^|\|)\s*([\w.]*)$/.exec(typed);
    if (word === null) return null;
    const options = pipelineNames.map((label) => ({ label, kind: 'command' }) as const);
    return { from: offset - (word[1] ?? '').length, options };
  }
  const key = fieldKey(group, field);
  const allowed = key === null ? undefined : workflowFieldValues[key];
  return allowed === undefined ? null : as('value', allowed);
}

/** Suggestions at a position, or `null`. */
export function suggestionsAt(text: string, offset: number, known: CompletionNames): Suggestions | null {
  const place = fieldPlace(text, offset);
  if (place.inValue) {
    return references(text, offset) ?? values(place, known, text.slice(place.from, offset), offset);
  }
  return place.group === null ? null : { from: place.from, options: fieldsOf(place.group) };
}
