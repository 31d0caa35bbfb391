/** `read_file`: the lines of a text file, or an image; capped, with a note on what was omitted. */
import { z } from 'zod';
import { imageType } from '../../../contract/image-facts.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { failureOutput, textOutput } from '../../../core/tools/output.ts';
import type { Tool, ToolOutput } from '../../../core/tools/tool.ts';
import { assessRead } from './assess-read.ts';
import { decodeFileText, maxImageBytes, readWhole } from './file-text.ts';

/** Maximum characters of one result, and of one line in it. */
const maxChars = 60_000;
const maxLineChars = 2_000;

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the workspace'),
  offset: z.number().int().min(1).default(1).describe('First line, counted from 1'),
  limit: z.number().int().min(1).max(5_000).default(2_000).describe('How many lines at most'),
});
type Input = z.output<typeof input>;

function linesOutput(text: string, { offset, limit }: Input): ToolOutput {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const kept: string[] = [];
  let chars = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const shown = line.length > maxLineChars ? `${line.slice(0, maxLineChars)}… [line cut]` : line;
    if (chars + shown.length > maxChars && kept.length > 0) break;
    kept.push(shown);
    chars += shown.length + 1;
  }
  const last = offset - 1 + kept.length;
  const details = { lines: lines.length, from: offset, to: last };
  if (lines.length === 0) return textOutput('[The file is empty.]', details);
  if (kept.length === 0) return textOutput(`[The file has only ${lines.length} lines.]`, details);
  const whole = offset === 1 && last === lines.length;
  const note = `[Lines ${offset} to ${last} of ${lines.length}.${last < lines.length ? ` Go on with offset ${last + 1}.` : ''}]`;
  return textOutput(whole ? kept.join('\n') : `${kept.join('\n')}\n${note}`, details);
}

function imageOutput(bytes: Uint8Array, mimeType: string): ToolOutput {
  const size = `${bytes.length.toLocaleString('en')} bytes`;
  if (bytes.length > maxImageBytes)
    return textOutput(`[An image (${mimeType}) of ${size}: too large to show.]`);
  const image = { type: 'image', data: Buffer.from(bytes).toString('base64'), mimeType } as const;
  return { content: [{ type: 'text', text: `[An image (${mimeType}), ${size}.]` }, image] };
}

export function createReadFileTool(files: ConfinedFiles): Tool {
  return defineTool({
    name: 'read_file',
    group: 'files',
    core: true,
    description:
      'Reads a text file, or shows an image (PNG, JPEG, GIF, WebP). Long files come in parts: use offset and limit.',
    input,
    replay: 'safe',
    timeoutMs: 30_000,
    foreign: true,
    assess: ({ path }) => assessRead(files, path, 'actions.readFile'),
    async execute(args) {
      const whole = await readWhole(files, args.path);
      if (!whole.ok) return failureOutput(whole.error);
      const image = imageType(whole.value);
      if (image !== null) return imageOutput(whole.value, image);
      const text = decodeFileText(whole.value);
      if (text === null)
        return textOutput(`[A binary file of ${whole.value.length.toLocaleString('en')} bytes; not shown.]`);
      return linesOutput(text, args);
    },
  });
}
