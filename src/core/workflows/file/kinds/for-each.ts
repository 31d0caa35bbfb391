import { say } from '../../../../language/say.ts';
import type { StepFields } from '../fields.ts';
import { isName, variablePattern } from '../names.ts';
import { inStep, stepPart } from '../parts.ts';
import { parseRef, printRef } from '../refs.ts';
import { unless } from '../write-fields.ts';
import { type PartOf, type StepContext, type StepKindRules, type StepOf, timedFields } from './step-kind.ts';

function loopItems(context: StepContext, text: string): StepOf<'for_each'>['items'] {
  const { reader, path, place } = context;
  const arg = /^\$\{([^{}]+)\}$/.exec(text.trim())?.[1];
  if (arg !== undefined && reader.names.args.has(arg)) return { step: null, arg };
  const ref = parseRef(text);
  if (ref) return ref;
  reader.error(
    'wrong-reference',
    path,
    [...place, 'for_each'],
    inStep(path, say('workflowFiles.loopNeedsList')),
  );
  return { step: '', path: [] };
}

function readLoop(context: StepContext, fields: StepFields): PartOf<'for_each'> {
  const { reader, path, place } = context;
  const itemVar = fields.item_var ?? 'item';
  const indexVar = fields.index_var ?? 'index';
  for (const variable of [itemVar, indexVar])
    if (!isName(variablePattern, variable) || reader.names.steps.has(variable))
      reader.error(
        'wrong-name',
        path,
        place,
        inStep(path, say('workflowFiles.wrongVariable', { name: variable })),
      );
  if (fields.steps === undefined)
    reader.error('no-steps', path, place, say('workflowFiles.loopWithoutSteps', { part: stepPart(path) }));
  return {
    kind: 'for_each',
    items: loopItems(context, fields.for_each ?? ''),
    steps: context.readSteps(fields.steps ?? [], [...place, 'steps'], `${path}[]`),
    itemVar,
    indexVar,
    batchSize: fields.batch_size ?? 1,
    pauseMs: fields.pause_ms ?? 0,
    approval: null,
  };
}

export const forEachKind: StepKindRules<'for_each'> = {
  keys: ['for_each'],
  takes: ['steps', 'item_var', 'index_var', 'batch_size', 'pause_ms', ...timedFields],
  containers: ['steps'],
  effectOf: () => 'pure',
  read: readLoop,
  write: (step, writeSteps) => ({
    for_each: step.items.step === null ? `\${${step.items.arg}}` : printRef(step.items),
    item_var: unless(step.itemVar, 'item'),
    index_var: unless(step.indexVar, 'index'),
    batch_size: unless(step.batchSize, 1),
    pause_ms: unless(step.pauseMs, 0),
    steps: writeSteps(step.steps),
  }),
  collect({ items }, to) {
    if (items.step === null) to.args.push(items.arg);
    else to.ref('for_each', items);
  },
  children: ({ steps }) => [{ branch: 'for_each', steps }],
  summarize: ({ items }) => (items.step === null ? `each of \${${items.arg}}` : `each of ${printRef(items)}`),
};
