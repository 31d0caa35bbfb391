import { z } from 'zod';
import { hostTextSchema } from './host-text-schema.ts';

/** Content of a workflow gate, in its run and in its question. */
export const gateAsks = {
  path: z.string(),
  kind: z.enum(['approval', 'input', 'uncertain']),
  prompt: hostTextSchema,
  /** JSON of each item. */
  items: z.array(z.string()),
  /** Text, or empty. The question's own `preview` contains all of these fields. */
  preview: z.string(),
  /** JSON schema and defaults of the response; empty for yes or no, and for done, repeat or cancel. */
  schemaJson: z.string(),
  defaultsJson: z.string(),
  subjectJson: z.string(),
  named: z.array(z.string()),
  needed: z.number().int(),
  notInitiator: z.boolean(),
  /** Approvals so far. */
  votes: z.array(z.string()),
};
