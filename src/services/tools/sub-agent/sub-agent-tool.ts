/**
 * `sub_agent`: hands a task to a sub-agent with fewer tools and a limit of its own. Starting one has no effect by itself;
 * each of its calls is decided at the gate. Its result counts as untrusted content, because it may hold anything that its
 * calls read (T9).
 */
import { z } from 'zod';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { previewBody, toolErrorOutput } from '../../../core/tools/output.ts';
import type { InnerCalls, SubAgentEnd, Tool, ToolOutput } from '../../../core/tools/tool.ts';
import { chooseTools, type ToolNames } from '../../../core/tools/tool-set.ts';
import { say } from '../../../language/say.ts';

const description = [
  'Starts a sub-agent with your model, a context of its own and some of your tools, waits for its end and returns its result.',
  'Use it for a part of the work that needs many calls or much reading, and start several in one answer to let them work at',
  'the same time. It knows nothing of this conversation: put everything it needs into the task. It cannot start sub-agents.',
].join(' ');

const limits = { tokens: 200_000, mostTokens: 2_000_000, requests: 40 };

const input = z.strictObject({
  name: z.string().max(60).optional().describe('Short name, shown to people.'),
  task: z
    .string()
    .min(1)
    .max(100_000)
    .describe('What it shall do, all that it must know, and the form of the result.'),
  tools: z
    .array(z.string().max(200))
    .max(100)
    .optional()
    .describe('Names of its tools; all of yours if left out.'),
  max_tokens: z
    .number()
    .int()
    .min(1_000)
    .max(limits.mostTokens)
    .optional()
    .describe('It ends once it has used so many.'),
});

function allowedTools(
  inner: InnerCalls,
  names: ToolNames,
  wanted: readonly string[] | undefined,
): ReadonlySet<string> {
  const { offers } = chooseTools(inner.tools, names, { subagent: true });
  const offered = offers.filter(({ offered: is }) => is).map(({ name }) => name);
  return new Set(wanted === undefined ? offered : offered.filter((name) => wanted.includes(name)));
}

const heads: Readonly<Record<SubAgentEnd['end'], string>> = {
  done: 'The sub-agent has ended.',
  failed: 'The sub-agent has failed.',
  limit: 'The sub-agent has reached its limit, so its work is incomplete. Its last text:',
  aborted: 'The sub-agent was stopped.',
};

function outputOf({ end, text, tokens, requests, calls }: SubAgentEnd): ToolOutput {
  const head = `${heads[end]} (${requests} requests, ${tokens} tokens, ${calls.length} calls)`;
  return {
    content: [{ type: 'text', text: text === '' ? head : `${head}\n${text}` }],
    details: { end, tokens, requests, innerCalls: calls },
    ...(end === 'done' ? {} : { isError: true }),
  };
}

/** `names`: lists of tools in the agent's file. */
export function createSubAgentTool(names: () => ToolNames): Tool {
  return defineTool({
    name: 'sub_agent',
    group: 'code',
    core: false,
    description,
    input,
    replay: 'never',
    callsTools: true,
    foreign: true,
    // Its calls record what they read.
    reveals: [],
    assess: ({ name, task }) => ({
      risk: 'low',
      effects: [],
      preview: {
        kind: 'text',
        title:
          name === undefined ? say('actions.startSubAgent') : say('actions.startNamedSubAgent', { name }),
        ...previewBody(task),
        where: '',
      },
    }),
    async execute({ task, tools, max_tokens }, { inner, signal, progress }) {
      if (!inner?.subAgent) return toolErrorOutput('Sub-agents cannot be started here.');
      const request = {
        task,
        tools: allowedTools(inner, names(), tools),
        maxTokens: max_tokens ?? limits.tokens,
        maxRequests: limits.requests,
        onText: (text: string) => progress({ content: [{ type: 'text', text }] }),
      };
      return outputOf(await inner.subAgent(request, signal));
    },
  });
}
