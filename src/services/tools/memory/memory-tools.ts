/** The agent's own notes as tools. The notes' history can undo every change, so all are low risk. */
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { MemoryPort } from '../../../core/agents/memory-port.ts';
import type { NoteSource } from '../../../core/agents/note-lines.ts';
import { unifiedDiff } from '../../../core/lib/unified-diff.ts';
import type { Assessment, CallPreview } from '../../../core/policy/assessment.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { blockedBy, failureOutput, previewBody, textOutput } from '../../../core/tools/output.ts';
import type { Tool, ToolCallContext } from '../../../core/tools/tool.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

const note = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'up to 64 letters, digits, "_" and "-"')
  .describe('Name of the note, without .md');

const where = say('approvals.itsNotebook');
const low = (preview: CallPreview): Assessment => ({ risk: 'low', effects: [], preview });
const inWords = (title: HostText, body = englishText(title)): CallPreview => ({
  kind: 'text',
  title,
  where,
  ...previewBody(body),
});

/** `null` if the turn holds no untrusted content. An unknown taint counts as tainted (T9). */
const sourceOf = ({ tainted, threadKey, turnId }: ToolCallContext): NoteSource | null =>
  tainted === false ? null : { threadKey, turnId };

/** The note's text, or empty if it does not exist yet. */
function textOrNone(memory: MemoryPort, name: string): Result<string> {
  const text = memory.read(name);
  return !text.ok && text.error.code === 'not_found' ? ok('') : text;
}

function createAppendTool(memory: MemoryPort): Tool {
  return defineTool({
    name: 'memory_append',
    group: 'memory',
    reveals: [],
    refusalReveals: ['notes'],
    core: false,
    description:
      'Adds lines at the end of one of your notes, or begins a new note. Notes are part of your instructions in every later turn: keep what is worth remembering, short.',
    input: z.strictObject({ note, text: z.string().min(1).max(16_384) }),
    replay: 'never',
    executionMode: 'sequential',
    assess: ({ note: name, text }) => low(inWords(say('actions.remember', { name }), text)),
    async execute({ note: name, text }, context) {
      const before = textOrNone(memory, name);
      if (!before.ok) return failureOutput(before.error);
      const gap = before.value === '' || before.value.endsWith('\n') ? '' : '\n';
      const written = memory.write(
        name,
        `${before.value}${gap}${text}${text.endsWith('\n') ? '' : '\n'}`,
        'agent',
        sourceOf(context),
      );
      return written.ok ? textOutput(`Remembered in "${name}".`) : failureOutput(written.error);
    },
  });
}

function createReadTool(memory: MemoryPort): Tool {
  return defineTool({
    name: 'memory_read',
    group: 'memory',
    core: false,
    description: 'Shows one of your notes whole; without a name the list of your notes.',
    input: z.strictObject({ note: note.optional() }),
    replay: 'safe',
    assess: ({ note: name }) =>
      low(inWords(name === undefined ? say('actions.listNotes') : say('actions.readNote', { name }))),
    async execute({ note: name }) {
      if (name !== undefined) {
        const text = memory.read(name);
        return text.ok ? textOutput(text.value || '[The note is empty.]') : failureOutput(text.error);
      }
      const notes = memory.notes();
      if (!notes.ok) return failureOutput(notes.error);
      return textOutput(
        notes.value.map((one) => `${one.name} (${one.bytes} bytes)`).join('\n') || '[No notes yet.]',
      );
    },
  });
}

function createSearchTool(memory: MemoryPort): Tool {
  return defineTool({
    name: 'memory_search',
    group: 'memory',
    core: false,
    description: 'Finds lines in your notes that hold all the words.',
    input: z.strictObject({
      query: z.string().min(1).max(500),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    replay: 'safe',
    assess: ({ query }) => low(inWords(say('actions.searchNotes'), query)),
    async execute({ query, limit }) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const notes = memory.notes();
      if (!notes.ok) return failureOutput(notes.error);
      const found: string[] = [];
      for (const { name } of notes.value) {
        const text = memory.read(name);
        if (!text.ok) continue;
        for (const [index, line] of text.value.split('\n').entries()) {
          const subject = `${name} ${line}`.toLowerCase();
          if (line.trim() !== '' && words.every((word) => subject.includes(word)))
            found.push(`${name}:${index + 1}: ${line.slice(0, 500)}`);
        }
      }
      const more = found.length > limit ? `\n[${found.length - limit} more lines]` : '';
      return textOutput(found.slice(0, limit).join('\n') + more || '[Nothing found.]', {
        found: found.length,
      });
    },
  });
}

interface NoteEdit {
  readonly before: string;
  readonly after: string;
}

function editNote(memory: MemoryPort, name: string, oldText: string, newText: string): Result<NoteEdit> {
  const before = memory.read(name);
  if (!before.ok) return before;
  const parts = before.value.split(oldText);
  if (parts.length === 2) return ok({ before: before.value, after: parts.join(newText) });
  const times = parts.length === 1 ? 'not in the note' : `in the note ${parts.length - 1} times`;
  return err(fail('conflict', 'tools.oldTextNotOnce', { times }, { where: name }));
}

function createEditTool(memory: MemoryPort): Tool {
  const input = z.strictObject({
    note,
    old_text: z.string().min(1).max(65_536).describe('Exactly as it is in the note, once'),
    new_text: z.string().max(65_536),
  });
  const plan = ({ note: name, old_text, new_text }: z.output<typeof input>) =>
    editNote(memory, name, old_text, new_text);
  return defineTool({
    name: 'memory_edit',
    group: 'memory',
    core: false,
    description: 'Replaces a piece of text in one of your notes.',
    input,
    replay: 'never',
    executionMode: 'sequential',
    assess(args) {
      const edit = plan(args);
      const preview: CallPreview = {
        kind: 'diff',
        title: say('actions.editNote', { name: args.note }),
        body: '',
        where,
      };
      if (!edit.ok) return blockedBy(edit.error, preview);
      return low({ ...preview, ...previewBody(unifiedDiff(edit.value.before, edit.value.after)) });
    },
    async execute(args, context) {
      const edit = plan(args);
      if (!edit.ok) return failureOutput(edit.error);
      const written = memory.write(args.note, edit.value.after, 'agent', sourceOf(context));
      return written.ok ? textOutput(`Changed "${args.note}".`) : failureOutput(written.error);
    },
  });
}

function createForgetTool(memory: MemoryPort): Tool {
  return defineTool({
    name: 'memory_forget',
    group: 'memory',
    core: false,
    description: 'Drops one of your notes.',
    input: z.strictObject({ note }),
    replay: 'safe',
    executionMode: 'sequential',
    assess({ note: name }) {
      const text = memory.read(name);
      const preview: CallPreview = {
        kind: 'diff',
        title: say('actions.forgetNote', { name }),
        body: '',
        where,
      };
      return text.ok
        ? low({ ...preview, ...previewBody(unifiedDiff(text.value, '')) })
        : blockedBy(text.error, preview);
    },
    async execute({ note: name }, context) {
      const gone = memory.forget(name, 'agent', sourceOf(context));
      return gone.ok ? textOutput(`Forgot "${name}".`) : failureOutput(gone.error);
    },
  });
}

export const createMemoryTools = (memory: MemoryPort): readonly Tool[] => [
  createAppendTool(memory),
  createSearchTool(memory),
  createReadTool(memory),
  createEditTool(memory),
  createForgetTool(memory),
];
