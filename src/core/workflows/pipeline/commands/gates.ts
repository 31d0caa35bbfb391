/** Commands that wait for a person or set how the result is shown: approve, ask, json, table. */
import { err, ok } from '../../../../contract/result.ts';
import { say } from '../../../../language/say.ts';
import { schemaFault } from '../../file/schema-fault.ts';
import { oneOrList, type PipelineCommand, type ShowFormat } from '../command.ts';
import { type ExactJsonRecord, holdsBigint, stringifyExact } from '../exact-json.ts';

const defaultLimit = 5;

export const approve: PipelineCommand = {
  name: 'approve',
  description: 'Stops until a person has said yes; the items go on then.',
  flags: [
    { name: 'prompt', type: 'text', description: 'what is asked', default: 'Approve?' },
    {
      name: 'emit',
      type: 'switch',
      description: 'always so: the question is the result of the run',
      default: false,
    },
    {
      name: 'preview-from-stdin',
      type: 'switch',
      description: 'shows the first items as text',
      default: false,
    },
    { name: 'limit', type: 'count', description: 'how many items the preview shows', default: defaultLimit },
  ],
  words: null,
  examples: ["approve --prompt 'Send these?' --preview-from-stdin --limit 5"],
  sideEffects: ['asks_person'],
  effect: 'pure',
  prepare: (args) => {
    const prompt = args.text('prompt') ?? 'Approve?';
    const limit = args.number('limit') ?? defaultLimit;
    const withPreview = args.has('preview-from-stdin');
    return ok({
      kind: 'gate',
      halt: (items) => ({
        kind: 'approval',
        prompt,
        items,
        preview: withPreview ? stringifyExact(items.slice(0, limit), 2) : null,
        limit,
      }),
    });
  },
};

const defaultSchema: ExactJsonRecord = {
  type: 'object',
  properties: {
    decision: { type: 'string', enum: ['approve', 'reject', 'redraft'] },
    feedback: { type: 'string' },
  },
  required: ['decision'],
  additionalProperties: false,
};

export const askGate: PipelineCommand = {
  name: 'ask',
  description: 'Stops until a person has answered; the answer becomes the only item.',
  flags: [
    { name: 'prompt', type: 'text', description: 'what is asked', default: 'Please answer.' },
    { name: 'schema', type: 'record', description: 'JSON schema of the answer' },
    {
      name: 'subject-from-stdin',
      type: 'switch',
      description: 'shows the items with the question',
      default: false,
    },
    {
      name: 'emit',
      type: 'switch',
      description: 'always so: the question is the result of the run',
      default: false,
    },
  ],
  words: null,
  examples: [
    `ask --prompt 'Which date?' --schema '{"type":"object","properties":{"date":{"type":"string"}}}'`,
  ],
  sideEffects: ['asks_person'],
  effect: 'pure',
  prepare: (args) => {
    const prompt = args.text('prompt') ?? 'Please answer.';
    const schema = args.record('schema') ?? defaultSchema;
    const withSubject = args.has('subject-from-stdin');
    const fault = schemaFault(schema);
    if (fault !== null) return err({ message: say('pipelines.flagNoSchema', { flag: 'schema', fault }) });
    if (holdsBigint(schema)) {
      return err({ message: say('pipelines.schemaNumber', { flag: 'schema' }) });
    }
    return ok({
      kind: 'gate',
      halt: (items) => ({
        kind: 'input',
        prompt,
        schema,
        subject: withSubject ? oneOrList(items) : null,
        items,
      }),
    });
  },
};

const show = (format: ShowFormat, description: string): PipelineCommand => ({
  name: format,
  description,
  flags: [],
  words: null,
  examples: [format],
  sideEffects: [],
  effect: 'pure',
  prepare: () => ok({ kind: 'show', format }),
});

export const json = show('json', 'Shows people the items as JSON; the items stay the output of the run.');
export const table = show(
  'table',
  'Shows people the items as a table; the items stay the output of the run.',
);
