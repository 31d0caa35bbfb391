/** Collects every text and reference of a step, and whether it is read after the step's own work. */

import { refsOf } from './condition-value.ts';
import type { Ref, Step, Template, TemplatePart, ValueTemplate } from './definition.ts';

export interface TextUse {
  readonly field: string;
  readonly template: Template;
  /** Reader of the text: shells and pipelines have quotes and dollar signs of their own. */
  readonly reader: 'shell' | 'pipeline' | 'text';
  /** Read after the step's own work, so it may refer to the step itself. */
  readonly after: boolean;
}

export interface RefUse {
  readonly field: string;
  readonly ref: Ref;
  readonly after: boolean;
}

export interface Uses {
  readonly texts: readonly TextUse[];
  readonly refs: readonly RefUse[];
  readonly args: readonly string[];
}

type Place = Exclude<TemplatePart, { kind: 'text' }>;

const placesOf = (template: Template): readonly Place[] => template.filter((part) => part.kind !== 'text');

class Collector {
  readonly texts: TextUse[] = [];
  readonly refs: RefUse[] = [];
  readonly args: string[] = [];

  text(field: string, template: Template | null, reader: TextUse['reader'] = 'text', after = false): void {
    if (!template) return;
    this.texts.push({ field, template, reader, after });
    for (const part of placesOf(template)) {
      if (part.kind === 'arg') this.args.push(part.name);
      else this.refs.push({ field, ref: part.ref, after });
    }
  }

  ref(field: string, ref: Ref, after = false): void {
    this.refs.push({ field, ref, after });
  }

  value(field: string, value: ValueTemplate | null, after = false): void {
    if (value?.kind === 'ref') this.ref(field, value.ref, after);
    else if (value?.kind === 'arg') this.args.push(value.name);
    else if (value?.kind === 'template') this.text(field, value.template, 'text', after);
    else if (value?.kind === 'list') for (const item of value.items) this.value(field, item, after);
    else if (value?.kind === 'object')
      for (const item of Object.values(value.fields)) this.value(field, item, after);
    else if (value && typeof value.value === 'string')
      this.text(field, [{ kind: 'text', text: value.value }], 'text', after);
  }
}

function work(step: Step, to: Collector): void {
  if (step.kind === 'run') to.text('run', step.shell, 'shell');
  if (step.kind === 'pipeline') to.text('pipeline', step.pipeline, 'pipeline');
  if (step.kind === 'input') to.text('input', step.input.prompt);
  if (step.kind === 'sleep' && step.until.kind === 'time') to.text('sleep', step.until.at);
  if (step.kind === 'agent') {
    to.text('agent', step.agent);
    to.text('agent', step.goal);
  }
  if (step.kind === 'llm-task') {
    to.text('llm_task', step.prompt);
    to.value('llm_task', step.input);
  }
  if (step.kind === 'workflow')
    for (const value of Object.values(step.args)) to.value('workflow_args', value);
  if (step.kind === 'for_each') {
    if (step.items.step === null) to.args.push(step.items.arg);
    else to.ref('for_each', step.items);
  }
}

/** Without the nested steps. */
export function usesOf(step: Step): Uses {
  const to = new Collector();
  work(step, to);
  for (const ref of step.when ? refsOf(step.when) : []) to.ref('when', ref);
  if (step.stdin?.kind === 'ref') to.ref('stdin', step.stdin.ref);
  if (step.stdin?.kind === 'template') to.text('stdin', step.stdin.template);
  for (const template of Object.values(step.env)) to.text('env', template);
  to.text('cwd', step.cwd);
  to.text('idempotency_key', step.idempotencyKey);
  if (step.approval) {
    const after = step.kind !== 'approval';
    to.text('approval', step.approval.prompt, 'text', after);
    to.text('approval', step.approval.preview, 'text', after);
    to.value('approval', step.approval.items, after);
  }
  return to;
}
