/**
 * Translates the tools of Claude Code into Kennel's own, so that the same rules, standing answers, diffs and
 * readers apply to both. A call that Kennel could not show faithfully is refused.
 */
import { z } from 'zod';
import { once } from '../../../contract/once.ts';
import { hostServer } from '../program/host-tools.ts';

type Args = Readonly<Record<string, unknown>>;

export type KennelCall =
  | { readonly ok: true; readonly name: string; readonly args: Args }
  | { readonly ok: false; readonly name: string; readonly reason: string };

const toolsWithEffects = [
  'Bash',
  'Read',
  'Edit',
  'Write',
  'Glob',
  'Grep',
  'WebFetch',
  'WebSearch',
  'Task',
] as const;

const innerTools = ['TodoWrite', 'ToolSearch'] as const;

/** The only tools of its own that Claude Code gets. */
export const claudeTools = [...toolsWithEffects, ...innerTools] as const;

/** Tools that ask for each call; the others act only inside the program. */
export const askedTools = [...toolsWithEffects, 'Agent', 'NotebookEdit'] as const;

const hostPrefix = `mcp__${hostServer}__`;

/** Tools that act only inside the program, and those of the host, which ask by themselves; `*` fits any name. */
export const freeTools = [...innerTools, `${hostPrefix}*`] as const;

const text = z.string();
const schemas = once(() => ({
  Bash: z
    .strictObject({
      command: text,
      description: text.optional(),
      timeout: z.number().optional(),
      run_in_background: z.boolean().optional(),
      dangerouslyDisableSandbox: z.boolean().optional(),
    })
    .refine((input) => input.run_in_background !== true, 'Run it in the foreground.')
    .transform(({ command, description }) => ({
      name: 'shell',
      args: { cmd: command, ...(description === undefined ? {} : { justification: description }) },
    })),
  Read: z
    .object({ file_path: text })
    .transform(({ file_path: path }) => ({ name: 'read_file', args: { path } })),
  Write: z
    .strictObject({ file_path: text, content: text })
    .transform(({ file_path: path, content }) => ({ name: 'write_file', args: { path, content } })),
  Edit: z
    .strictObject({
      file_path: text,
      old_string: text,
      new_string: text,
      replace_all: z.boolean().default(false),
    })
    .transform(({ file_path: path, old_string, new_string, replace_all }) =>
      old_string === ''
        ? { name: 'write_file', args: { path, content: new_string } }
        : { name: 'edit_file', args: { path, old_text: old_string, new_text: new_string, replace_all } },
    ),
  Glob: z
    .object({ pattern: text, path: text.optional() })
    .refine(
      ({ pattern }) => !/^(?:[/~]|[A-Za-z]:)/.test(pattern) && !pattern.split(/[\\/{,]/).includes('..'),
      {
        error: 'The pattern must stay below its folder; name the folder as path.',
      },
    )
    .transform(({ pattern, path = '.' }) => ({ name: 'search_files', args: { query: pattern, path } })),
  Grep: z
    .object({ pattern: text, path: text.optional(), glob: text.optional() })
    .transform(({ pattern, path = '.', glob }) => ({
      name: 'search_files',
      args: { query: pattern, path, ...(glob === undefined ? {} : { glob }) },
    })),
  WebFetch: z
    .object({ url: z.url(), prompt: text.default('') })
    .transform((args) => ({ name: 'web_fetch', args })),
  WebSearch: z.object({ query: text }).transform(({ query }) => ({ name: 'web_search', args: { query } })),
  Task: z
    .object({ description: text.default(''), prompt: text, subagent_type: text.default('') })
    .transform((args) => ({ name: 'sub_agent', args })),
}));

const otherNames: Readonly<Record<string, string>> = { Agent: 'Task' };

/** The name under which a call is shown and recorded. */
export function toKennelCall(tool: string, input: Args): KennelCall {
  if (tool.startsWith(hostPrefix)) return { ok: true, name: tool.slice(hostPrefix.length), args: input };
  const known = Object.hasOwn(otherNames, tool) ? otherNames[tool] : tool;
  const all: Readonly<Record<string, z.ZodType<{ name: string; args: Args }>>> = schemas();
  const schema = known !== undefined && Object.hasOwn(all, known) ? all[known] : undefined;
  if (!schema)
    return {
      ok: false,
      name: tool,
      reason: `${tool} cannot be used here: Kennel does not know what it does.`,
    };
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, ...parsed.data };
  const why = parsed.error.issues.map(({ path, message }) => [...path, message].join(': ')).slice(0, 5);
  return { ok: false, name: tool, reason: `The call cannot be shown to the operator. ${why.join('; ')}` };
}

/** True for a call that must ask the host, as the program is told. */
export const isAskedTool = (tool: string): boolean =>
  !isHostTool(tool) && !innerTools.some((inner) => inner === tool);

/** True for a tool that runs in the host, behind its own check. */
export const isHostTool = (tool: string): boolean => tool.startsWith(hostPrefix);
