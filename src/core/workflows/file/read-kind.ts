/** Reads the work of a step: its kind and the fields of that kind. */
import { say } from '../../../language/say.ts';
import type { StepKind } from './definition.ts';
import type { StepFields } from './fields.ts';
import type { StepContext, StepPart } from './kinds/step-kind.ts';
import { stepPart } from './parts.ts';
import { readApproval } from './read-gate.ts';
import { kindRules, stepKinds } from './step-kinds.ts';

/** The kind that each field of a step stands for. */
const kindOfKey: ReadonlyMap<keyof StepFields, StepKind> = new Map(
  stepKinds.flatMap((kind) => kindRules<StepKind>(kind).keys.map((key) => [key, kind] as const)),
);
const kinds = stepKinds.join(', ');

export function readKind(context: StepContext, fields: StepFields): StepPart | null {
  const { reader, path, place } = context;
  const given = [...kindOfKey.keys()].filter((key) => fields[key] !== undefined);
  if (given.length > 1) {
    reader.error(
      'two-kinds',
      path,
      [...place, given[1] ?? ''],
      say('workflowFiles.twoKinds', { part: stepPart(path), kinds: given.join(', ') }),
    );
    return null;
  }
  const kind = given[0] && kindOfKey.get(given[0]);
  const work = kind ? kindRules<StepKind>(kind).read(context, fields) : null;
  const approval =
    fields.approval === undefined
      ? null
      : readApproval({ ...context, place: [...place, 'approval'] }, fields.id, fields.approval);
  if (work) {
    if (approval && work.kind === 'input')
      reader.error(
        'two-kinds',
        path,
        place,
        say('workflowFiles.twoKinds', { part: stepPart(path), kinds: 'input, approval' }),
      );
    return { ...work, approval };
  }
  if (approval) return { kind: 'approval', approval };
  if (fields.approval === undefined)
    reader.error(
      'no-kind',
      path,
      place,
      say('workflowFiles.doesNothing', { part: stepPart(path) }),
      say('workflowFiles.giveKind', { kinds }),
    );
  return null;
}
