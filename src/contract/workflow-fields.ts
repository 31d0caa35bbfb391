/**
 * The fields of a workflow file, by the object that holds them. The reader of files is typed by this list, and
 * the editor completes and explains its fields; each has a text `workflowFields.<group>_<field>`.
 */
export const workflowFields = {
  file: [
    'name',
    'description',
    'args',
    'extra_args',
    'env',
    'cwd',
    'timeout',
    'timeout_ms',
    'cost_limit',
    'steps',
  ],
  arg: ['type', 'description', 'default', 'required', 'enum'],
  cost_limit: ['max_usd', 'action'],
  step: [
    'id',
    'run',
    'command',
    'pipeline',
    'agent',
    'llm_task',
    'workflow',
    'workflow_args',
    'approval',
    'input',
    'parallel',
    'for_each',
    'steps',
    'item_var',
    'index_var',
    'batch_size',
    'pause_ms',
    'sleep',
    'stdin',
    'env',
    'cwd',
    'when',
    'condition',
    'timeout',
    'timeout_ms',
    'retry',
    'on_error',
    'effect',
    'idempotency_key',
  ],
  approval: ['prompt', 'items', 'preview', 'initiated_by'],
  input: ['prompt', 'response_schema', 'defaults'],
  /** Of every question, `approval` and `input`. */
  gate: [
    'expires',
    'remind',
    'required_approver',
    'approvers',
    'needed',
    'require_different_approver',
    'on_reject',
    'on_timeout',
  ],
  outcome: ['steps', 'then'],
  agent: ['goal', 'name', 'schema', 'max_usd'],
  llm_task: [
    'prompt',
    'input',
    'schema',
    'provider',
    'model',
    'temperature',
    'max_tokens',
    'max_usd',
    'fallback',
  ],
  parallel: ['branches', 'wait', 'timeout_ms'],
  retry: ['max', 'backoff', 'delay_ms', 'max_delay_ms', 'jitter'],
  sleep: ['until'],
} as const;

export type FieldGroup = keyof typeof workflowFields;
export type WorkflowField<Group extends FieldGroup> = (typeof workflowFields)[Group][number];

/** A field with its group. */
export type FieldKey = { [Group in FieldGroup]: `${Group}_${WorkflowField<Group>}` }[FieldGroup];
/** The key of the help about a field. */
export type FieldText = {
  [Group in FieldGroup]: `workflowFields.${Group}_${WorkflowField<Group>}`;
}[FieldGroup];

const yesOrNo = ['true', 'false'] as const;

/** Allowed values, where the list is fixed. */
export const workflowFieldValues: Readonly<Partial<Record<FieldKey, readonly string[]>>> = {
  file_extra_args: yesOrNo,
  arg_type: ['any', 'string', 'number', 'integer', 'boolean', 'object', 'array'],
  arg_required: yesOrNo,
  cost_limit_action: ['stop', 'warn'],
  step_on_error: ['stop', 'continue', 'skip_rest'],
  step_effect: ['pure', 'idempotent', 'once'],
  step_approval: ['true'],
  gate_require_different_approver: yesOrNo,
  gate_on_reject: ['cancel', 'continue', 'fail'],
  gate_on_timeout: ['cancel', 'continue', 'fail'],
  outcome_then: ['cancel', 'continue', 'fail'],
  parallel_wait: ['all', 'any'],
  retry_backoff: ['fixed', 'exponential'],
  retry_jitter: yesOrNo,
};

/** Results of a step, which later steps read as `$step.stdout`. */
export const stepResults = [
  'stdout',
  'json',
  'approved',
  'approvedBy',
  'reason',
  'initiatedBy',
  'skipped',
  'error',
  'errorMessage',
  'response',
  'subject',
] as const;

/** Commands of a `pipeline`, with their other names. */
export const pipelineNames: readonly string[] = [
  'exec',
  'where',
  'pick',
  'head',
  'sort',
  'dedupe',
  'groupBy',
  'map',
  'template',
  'json',
  'table',
  'approve',
  'ask',
  'state.get',
  'state.set',
  'diff.last',
  'openclaw.invoke',
  'fluffbuzz.invoke',
  'clawd.invoke',
  'llm.invoke',
  'llm_task.invoke',
  'workflows.list',
  'workflows.run',
  'commands.list',
];
