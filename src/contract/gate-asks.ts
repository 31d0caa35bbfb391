import { z } from 'zod';

/** What a gate of a workflow asks and of whom, wherever it is shown: in its run and among the questions. */
export const gateAsks = {
  path: z.string(),
  kind: z.enum(['approval', 'input', 'uncertain']),
  prompt: z.string(),
  /** JSON of each item. */
  items: z.array(z.string()),
  /** Text; empty: none. The `preview` of its question is all of this in one text. */
  preview: z.string(),
  /** JSON schema and defaults of the answer; empty: yes or no, or done, repeat or cancel. */
  schemaJson: z.string(),
  defaultsJson: z.string(),
  subjectJson: z.string(),
  named: z.array(z.string()),
  needed: z.number().int(),
  notInitiator: z.boolean(),
  /** Who has agreed. */
  votes: z.array(z.string()),
};
