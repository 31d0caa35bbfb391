/** `write_file`: writes a whole file, new or replaced; the operator sees the difference. */
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Result } from '../../../contract/result.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import { unifiedDiff } from '../../../core/lib/unified-diff.ts';
import type { Assessment } from '../../../core/policy/assessment.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import {
  blockedBy,
  failureOutput,
  previewBody,
  textOutput,
  toolErrorOutput,
} from '../../../core/tools/output.ts';
import type { Tool, ToolCallContext } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { readFileText } from './file-text.ts';
import { changedMeanwhile, contentKey, createSeenBefore, type SeenBefore } from './seen-before.ts';
import { plainName, shownPath } from './shown-path.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the workspace'),
  content: z.string().max(1_048_576).describe('The whole new content'),
  parents: z.boolean().default(true).describe('Make the folders around it that do not exist'),
});
type Input = z.output<typeof input>;

export const lineCount = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const lineWords = (text: string): string => `${lineCount(text)} ${lineCount(text) === 1 ? 'line' : 'lines'}`;

/** The real path of the file to write; with `parents`, the first existing folder decides. */
function resolveTarget(files: ConfinedFiles, path: string, parents: boolean): Result<string> {
  const direct = files.resolve(path, 'write');
  if (direct.ok || !parents || direct.error.code !== 'not_found') return direct;
  const above = dirname(path);
  if (above === path) return direct;
  const folder = files.resolve(above, 'read');
  const around = folder.ok ? folder : resolveTarget(files, above, parents);
  return around.ok ? { ok: true, value: join(around.value, basename(path)) } : around;
}

async function assess(
  files: ConfinedFiles,
  seen: SeenBefore,
  args: Input,
  context: ToolCallContext,
): Promise<Assessment> {
  const target = resolveTarget(files, args.path, args.parents);
  const shown = target.ok ? shownPath(files, target.value) : plainName(args.path);
  const preview = {
    kind: 'diff',
    title: say('actions.writeFile', { path: shown }),
    body: '',
    where: files.roots.cwd,
  } as const;
  if (!target.ok) return blockedBy(target.error, preview);
  const there = await readFileText(files, target.value);
  const binary = !there.ok && there.error.code === 'unsupported';
  if (!there.ok && !binary && there.error.code !== 'too_large') return blockedBy(there.error, preview);
  const before = there.ok ? there.value : null;
  if (there.ok) seen.note(contentKey(context, args.path), target.value, before, context.anew);
  const body =
    before === null
      ? `${there.ok ? 'New file' : 'Replaces a file that is not text or too large to compare'}, ${lineWords(args.content)}\n${unifiedDiff('', args.content)}`
      : unifiedDiff(before, args.content) || 'No change: the file already has this content.';
  return {
    risk: 'medium',
    effects: [{ kind: 'write', path: target.value }],
    preview: { ...preview, ...previewBody(body) },
  };
}

export function createWriteFileTool(files: ConfinedFiles): Tool {
  const seen = createSeenBefore();
  return defineTool({
    name: 'write_file',
    group: 'files',
    reveals: [],
    refusalReveals: ['files'],
    core: true,
    description:
      'Writes a whole text file: a new one, or in place of the old content. For a small change use edit_file.',
    input,
    // Writing the same content again does no harm.
    replay: 'safe',
    executionMode: 'sequential',
    timeoutMs: 30_000,
    assess: (args, context) => assess(files, seen, args, context),
    async execute(args, context) {
      const target = resolveTarget(files, args.path, args.parents);
      if (!target.ok) return failureOutput(target.error);
      const there = await readFileText(files, target.value);
      const call = contentKey(context, args.path);
      if (there.ok && !seen.stillSo(call, target.value, there.value))
        return toolErrorOutput(changedMeanwhile);
      if (args.parents) {
        const made = await files.makeFolder(dirname(target.value), true);
        if (!made.ok) return failureOutput(made.error);
      }
      const how = there.ok && there.value === null ? 'create' : 'replace';
      const written = await files.write(target.value, utf8(args.content), how);
      if (!written.ok) return failureOutput(written.error);
      const shown = shownPath(files, target.value);
      return textOutput(`Wrote ${shown}, ${lineWords(args.content)}.`, {
        path: target.value,
        lines: lineCount(args.content),
      });
    },
  });
}
