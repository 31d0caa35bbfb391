/**
 * `puppy_run` and `puppy_resume`: workflows for agents whose configuration names these tools. The approver
 * sees the whole workflow before it runs; neither tool can answer a gate for a person.
 */
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import type { Assessment } from '../../../core/policy/assessment.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { blockedBy, previewBody, textOutput } from '../../../core/tools/output.ts';
import type { Tool, ToolOutput } from '../../../core/tools/tool.ts';
import type { Envelope } from '../../../core/workflows/engine/envelope.ts';
import { type JsonValue, stringifyExact } from '../../../core/workflows/pipeline/exact-json.ts';
import type { PuppyRuns, PuppyWish } from '../../../core/workflows/puppy-port.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

const defaultTimeoutMs = 20_000;
const defaultBytes = 512_000;
/** ms; longer workflows are started by a person or a schedule. */
const longestMs = 600_000;

const bytes = z
  .number()
  .int()
  .min(1024)
  .max(4_000_000)
  .default(defaultBytes)
  .describe('Bytes of the answer.');

const runInput = z.strictObject({
  pipeline: z
    .string()
    .min(1)
    .max(100_000)
    .describe(
      'The path of a workflow file (.puppy), or a pipeline such as: exec --json "cat list.json" | head --n 3',
    ),
  argsJson: z
    .string()
    .max(100_000)
    .default('')
    .describe('The arguments of a workflow file, as one JSON object.'),
  cwd: z.string().max(4_000).default('').describe('Where it works: your workspace, or a folder in it.'),
  timeoutMs: z.number().int().min(200).max(longestMs).default(defaultTimeoutMs),
  maxStdoutBytes: bytes,
});

const resumeInput = z.strictObject({
  run: z.string().min(4).max(100).describe('The runId that puppy_run gave you.'),
  action: z.enum(['state', 'cancel']).default('state'),
  maxStdoutBytes: bytes,
});

const runDescription = [
  'Runs a workflow file or a pipeline of fixed steps, and answers with one JSON envelope. status "ok": done, with its',
  'output. "needs_approval" or "needs_input": a person was asked, in Kennel; you cannot answer, so say that you wait and',
  'end your turn. "waiting": it sleeps until a time. When it has ended you are told in the same conversation; puppy_resume shows how it',
  'stands.',
].join(' ');

const resumeDescription = [
  'Looks at a run that you started with puppy_run ("state"), or ends it ("cancel"). It cannot approve anything: only people',
  'can.',
].join(' ');

/** The envelope as a tool result, under the output cap of the call. */
function told(envelope: Envelope): ToolOutput {
  const output = textOutput(stringifyExact(envelope as unknown as JsonValue, 2), envelope);
  return envelope.ok ? output : { ...output, isError: true };
}

const tooLong = fail(
  'too_large',
  'workflows.workflowTooLongToShow',
  {},
  { help: 'workflows.passArgumentsInFile' },
);

const wishOf = ({ pipeline, argsJson, cwd }: z.output<typeof runInput>): PuppyWish => ({
  pipeline,
  argsJson,
  cwd,
});

const previewOf = (title: HostText, body: string, where: string) =>
  ({ kind: 'text', title, ...previewBody(body), where }) as const;

export function createPuppyTools(puppy: PuppyRuns): readonly Tool[] {
  const run = defineTool({
    name: 'puppy_run',
    group: 'puppy',
    core: false,
    description: runDescription,
    input: runInput,
    // A repeated call continues the same run: the run's key derives from the call.
    replay: 'safe',
    executionMode: 'sequential',
    timeoutMs: longestMs + 30_000,
    foreign: true,
    async assess(args, context): Promise<Assessment> {
      const wish = wishOf(args);
      const seen = await puppy.look(wish, context);
      if (!seen.ok)
        return blockedBy(seen.error, previewOf(say('actions.runWorkflow'), args.pipeline, args.cwd));
      const { name, source, digest, cwd, acts, ownWords } = seen.value;
      const given = wish.argsJson === '' ? '' : `Arguments:\n${wish.argsJson}\n\n`;
      const preview = previewOf(say('actions.runNamedWorkflow', { name }), given + source, cwd);
      if (acts && preview.body !== given + source) return blockedBy(tooLong, preview);
      return {
        risk: !acts ? 'low' : ownWords ? 'high' : 'medium',
        // Includes the digest: a file that changes during the approval is not the approved one.
        effects: acts
          ? [{ kind: 'run', argv: ['puppy', name, `sha256:${digest}`], cwd, sandbox: 'none' }]
          : [],
        preview,
      };
    },
    execute: async (args, context) => {
      const { timeoutMs, maxStdoutBytes } = args;
      const { envelope, awaits } = await puppy.run(wishOf(args), { timeoutMs, maxStdoutBytes }, context);
      return { ...told(envelope), ...(awaits === null ? {} : { awaits }) };
    },
  });
  const resume = defineTool({
    name: 'puppy_resume',
    group: 'puppy',
    core: false,
    description: resumeDescription,
    input: resumeInput,
    replay: 'safe',
    foreign: true,
    assess: ({ run: id, action }) => ({
      risk: 'low',
      effects: [],
      preview: previewOf(
        action === 'cancel' ? say('actions.cancelRun', { id }) : say('actions.lookAtRun', { id }),
        '',
        '',
      ),
    }),
    execute: async ({ run: id, action, maxStdoutBytes }) =>
      told(action === 'cancel' ? await puppy.cancel(id) : await puppy.state(id, maxStdoutBytes)),
  });
  return [run, resume];
}
