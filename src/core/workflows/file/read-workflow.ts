/**
 * Reads a workflow file strictly from text or an object, and returns every finding with its position. A
 * definition exists only if the form has no errors; the check examines references between steps.
 */
import { type AppError, messageOf } from '../../../contract/errors.ts';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { say } from '../../../language/say.ts';
import { readYaml } from '../../lib/yaml-document.ts';
import { checkDefinition } from './check.ts';
import { collectNames } from './collect-names.ts';
import type { WorkflowDefinition } from './definition.ts';
import { type FileFields, fileFields } from './fields.ts';
import { type Finding, findingError, hasErrors, type Locate, nowhere } from './finding.ts';
import { readArgs } from './read-args.ts';
import { durationMs } from './read-gate.ts';
import { StepReader } from './read-step.ts';
import { noPositions, type Positions, Reader } from './reader.ts';
import { strangeValue } from './unrepresentable-value.ts';

/** Most code units of a file: people and models write files, and anything larger is data. */
export const maxFileLength = 512 * 1024;

export interface WorkflowReading {
  /** `null` if the findings contain an error. */
  readonly definition: WorkflowDefinition | null;
  readonly findings: readonly Finding[];
  readonly locate: Locate;
}

const wrong = (finding: Omit<Finding, 'severity' | 'path'>): WorkflowReading => ({
  definition: null,
  findings: [{ severity: 'error', path: '', ...finding }],
  locate: () => nowhere,
});

function definitionOf(reader: Reader, fields: FileFields): WorkflowDefinition {
  if (fields.timeout !== undefined && fields.timeout_ms !== undefined)
    reader.error('two-timeouts', '', ['timeout'], say('workflowFiles.fileTimeLimits'));
  const limit = fields.cost_limit;
  return {
    format: 1,
    name: fields.name ?? null,
    description: fields.description ?? null,
    args: readArgs(reader, fields.args ?? {}),
    extraArgs: fields.extra_args ?? false,
    env: reader.templates(fields.env),
    cwd: fields.cwd === undefined ? null : reader.template(fields.cwd),
    timeoutMs: durationMs(fields.timeout ?? fields.timeout_ms),
    costLimit: limit ? { maxUsd: limit.max_usd, action: limit.action ?? 'stop' } : null,
    steps: new StepReader(reader).all(fields.steps, ['steps'], ''),
  };
}

function readValue(value: unknown, positions: Positions): WorkflowReading {
  const strange = strangeValue(value);
  if (strange !== null) return wrong({ rule: 'wrong-value', message: strange, ...positions.positionOf([]) });
  const reader = new Reader(collectNames(value), positions);
  const fields = reader.parse(fileFields(), value, [], '', say('settings.theFile'));
  const definition = fields ? definitionOf(reader, fields) : null;
  if (definition && !hasErrors(reader.findings))
    reader.findings.push(...checkDefinition(definition, reader.locate));
  const broken = definition === null || hasErrors(reader.findings);
  return { definition: broken ? null : definition, findings: reader.findings, locate: reader.locate };
}

/** YAML 1.2 or JSON, without anchors and aliases (T25). */
export function readWorkflow(text: string): WorkflowReading {
  if (text.length > maxFileLength)
    return wrong({
      rule: 'too-large',
      message: say('workflowFiles.tooLong', { n: maxFileLength }),
      line: 1,
      column: 1,
    });
  const yaml = readYaml(text);
  if (yaml.ok) return readValue(yaml.value.value, yaml.value);
  const [, line = 1, column = 1] = /^line (\d+), column (\d+)$/.exec(yaml.error.where ?? '') ?? [];
  return wrong({
    rule: 'not-yaml',
    message: messageOf(yaml.error),
    line: Number(line),
    column: Number(column),
  });
}

/** Reads a workflow written in code: an object with the fields of the file, in either spelling. */
export function readWorkflowObject(value: unknown): WorkflowReading {
  return readValue(value, noPositions);
}

/** The definition, or the first finding as an error. */
export function definitionFrom(reading: WorkflowReading): Result<WorkflowDefinition, AppError> {
  if (reading.definition) return ok(reading.definition);
  const first = reading.findings.find(({ severity }) => severity === 'error');
  return err(first ? findingError(first) : fail('invalid_input', 'workflowFiles.workflowUnreadable'));
}
