/** Recorded workflow cases: actions in order, and the expected result of each. */
import { z } from 'zod';

const json = z.unknown();
const common = { env: z.record(z.string(), z.string()).optional(), reportMs: z.boolean().optional() };
const resume = {
  ...common,
  from: z.number().int().optional(),
  by: z.literal('id').optional(),
  id: z.string().optional(),
  tamper: z.enum(['truncate', 'empty']).optional(),
  forge: json.optional(),
  literal: z.string().optional(),
  approve: z.boolean().optional(),
  response: json.optional(),
  cancel: z.boolean().optional(),
  concurrent: z.number().int().min(2).max(16).optional(),
};
const kill = { marker: z.string(), killMs: z.number().optional(), sig: z.string().optional() };
const run = {
  ...common,
  /** Every mode other than `tool` is selected by `flags`. */
  mode: z.string().optional(),
  flags: z.array(z.string()).optional(),
  pipeline: z.string().optional(),
  file: z.string().optional(),
  args: json.optional(),
  stdin: z.string().optional(),
};
const host = {
  ...common,
  pipeline: z.string().optional(),
  cwd: z.string().optional(),
  timeoutMs: z.number().optional(),
  maxStdoutBytes: z.number().optional(),
  lingerMs: z.number().optional(),
};

const actionSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('run'), ...run }),
  z.strictObject({ do: z.literal('runKill'), ...run, ...kill }),
  z.strictObject({ do: z.literal('resume'), ...resume }),
  z.strictObject({ do: z.literal('resumeKill'), ...resume, ...kill }),
  z.strictObject({ do: z.literal('hostRun'), ...host }),
  z.strictObject({ do: z.literal('hostResume'), ...host, approve: z.boolean().optional() }),
  z.strictObject({ do: z.literal('sh'), ...common, cmd: z.string() }),
  z.strictObject({ do: z.literal('write'), ...common, path: z.string(), text: z.string() }),
  z.strictObject({ do: z.literal('sleep'), ...common, ms: z.number() }),
]);
export type Action = z.infer<typeof actionSchema>;

const expectationSchema = z.strictObject({
  ok: z.boolean().optional(),
  status: z.string().optional(),
  prompt: z.string().optional(),
  preview: z.string().optional(),
  errorType: z.string().optional(),
  output: json.optional(),
  items: json.optional(),
  outputContains: z.string().optional(),
  errorMatches: z.string().optional(),
  exit: z.number().optional(),
  hasToken: z.boolean().optional(),
  hasApprovalId: z.boolean().optional(),
  stdoutIsOneJson: z.boolean().optional(),
  stdout: z.string().optional(),
  stdoutContains: z.string().optional(),
  stderrContains: z.string().optional(),
  maxMs: z.number().optional(),
  okCount: z.number().optional(),
});
export type Expectation = z.infer<typeof expectationSchema>;

/** `group`, `why`, `better` and `note` are for readers. */
export const caseSchema = z.looseObject({
  name: z.string(),
  pipeline: z.string().optional(),
  file: z.string().optional(),
  fileName: z.string().optional(),
  files: z.record(z.string(), z.string()).optional(),
  args: json.optional(),
  env: z.record(z.string(), z.string()).optional(),
  actions: z.array(actionSchema).min(1),
  expect: z.array(expectationSchema.nullable()).optional(),
  effects: z.array(z.string()).optional(),
});
export type WorkflowCase = z.infer<typeof caseSchema>;

/** Result of one action. */
export interface Seen {
  readonly envelope: Readonly<Record<string, unknown>> | null;
  /** Standard output is the envelope and nothing else. */
  readonly oneJson: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
  readonly ms: number;
  readonly threw?: string;
  /** Number of successful answers among concurrent ones. */
  readonly okCount?: number;
}
