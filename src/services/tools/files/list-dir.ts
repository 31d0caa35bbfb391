/** `list_dir`: one entry per line, with unusual names escaped so that none looks like two. */
import { z } from 'zod';
import type { ConfinedFiles, FileEntry } from '../../../core/tools/confined-files.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { failureOutput, textOutput } from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { assessRead } from './assess-read.ts';
import { plainName } from './shown-path.ts';

function lineOf({ name, kind, size }: FileEntry): string {
  const shown = plainName(name);
  if (kind === 'folder') return `${shown}/`;
  return kind === 'file' ? `${shown}  ${size.toLocaleString('en')} bytes` : `${shown}  (${kind})`;
}

export function createListDirTool(files: ConfinedFiles): Tool {
  return defineTool({
    name: 'list_dir',
    group: 'files',
    core: true,
    description: 'Lists the entries of a folder, in order of their names.',
    input: z.strictObject({
      path: z.string().min(1).default('.').describe('Absolute, or relative to the workspace'),
      limit: z.number().int().min(1).max(2_000).default(500),
    }),
    replay: 'safe',
    timeoutMs: 30_000,
    foreign: true,
    assess: ({ path }) => assessRead(files, path, 'actions.listFolder'),
    async execute({ path, limit }) {
      const listed = await files.list(path, limit);
      if (!listed.ok) return failureOutput(listed.error);
      const { entries, more } = listed.value;
      const lines = entries.map(lineOf);
      if (more) lines.push(`[There are more; these are the first ${entries.length}.]`);
      return textOutput(lines.join('\n') || '[The folder is empty.]', { entries: entries.length, more });
    },
  });
}
