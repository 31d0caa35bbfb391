/**
 * `edit_file`: replaces one text with another; the old text must exist, and be unique unless all are to be
 * replaced. Line ends are kept.
 */
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import { unifiedDiff } from '../../../core/lib/unified-diff.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import {
  blockedBy,
  failureOutput,
  previewBody,
  textOutput,
  toolErrorOutput,
} from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { readFileText } from './file-text.ts';
import { changedMeanwhile, contentKey, createSeenBefore } from './seen-before.ts';
import { plainName, shownPath } from './shown-path.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the workspace'),
  old_text: z
    .string()
    .min(1)
    .max(262_144)
    .describe('Exactly as it is in the file, with enough around it to be unique'),
  new_text: z.string().max(262_144),
  replace_all: z.boolean().default(false).describe('Replace every occurrence'),
});
type Input = z.output<typeof input>;

interface Edit {
  readonly before: string;
  readonly after: string;
  readonly count: number;
}

const allCrlf = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text);

/** Models write `\n`, which stands for `\r\n` in a file that ends all its lines so. */
function editText(text: string, args: Input): Result<Edit> {
  const crlf = allCrlf(text);
  const plain = (piece: string): string => (crlf ? piece.replaceAll('\r\n', '\n') : piece);
  const [base, old, now] = [plain(text), plain(args.old_text), plain(args.new_text)];
  if (old === now) return err(fail('invalid_input', 'tools.textUnchanged'));
  const parts = base.split(old);
  const count = parts.length - 1;
  if (count === 0) {
    const done = now !== '' && base.includes(now) ? ' new_text is there already.' : '';
    return err(fail('not_found', 'tools.oldTextNotFound', { done }, { help: 'tools.copyTextExactly' }));
  }
  if (count > 1 && !args.replace_all) {
    return err(fail('conflict', 'tools.oldTextRepeated', { count }, { help: 'tools.giveMoreContext' }));
  }
  const after = parts.join(now);
  return ok({ before: text, after: crlf ? after.replaceAll('\n', '\r\n') : after, count });
}

async function plan(files: ConfinedFiles, args: Input): Promise<Result<Edit & { readonly real: string }>> {
  const real = files.resolve(args.path, 'write');
  if (!real.ok) return real;
  const text = await readFileText(files, real.value);
  if (!text.ok) return text;
  if (text.value === null) return err(fail('not_found', 'tools.unknownFile', {}, { where: args.path }));
  const edit = editText(text.value, args);
  return edit.ok ? ok({ ...edit.value, real: real.value }) : edit;
}

export function createEditFileTool(files: ConfinedFiles): Tool {
  const seen = createSeenBefore();
  return defineTool({
    name: 'edit_file',
    group: 'files',
    core: true,
    description:
      'Replaces a piece of text in a file. old_text must occur exactly once, unless replace_all is set.',
    input,
    replay: 'never',
    executionMode: 'sequential',
    timeoutMs: 30_000,
    async assess(args, context) {
      const planned = await plan(files, args);
      const shown = planned.ok ? shownPath(files, planned.value.real) : plainName(args.path);
      const preview = {
        kind: 'diff',
        title: say('actions.editFile', { path: shown }),
        body: '',
        where: files.roots.cwd,
      } as const;
      if (!planned.ok) return blockedBy(planned.error, preview);
      const { before, after, real } = planned.value;
      seen.note(contentKey(context, args.path), real, before, context.anew);
      return {
        risk: 'medium',
        effects: [{ kind: 'write', path: real }],
        preview: { ...preview, ...previewBody(unifiedDiff(before, after)) },
      };
    },
    async execute(args, context) {
      const planned = await plan(files, args);
      if (!planned.ok) return failureOutput(planned.error);
      const { before, after, real, count } = planned.value;
      if (!seen.stillSo(contentKey(context, args.path), real, before))
        return toolErrorOutput(changedMeanwhile);
      const written = await files.write(real, utf8(after), 'replace');
      if (!written.ok) return failureOutput(written.error);
      const times = count === 1 ? 'once' : `${count} times`;
      return textOutput(`Changed ${shownPath(files, real)} (${times}).`, { path: real, count });
    },
  });
}
