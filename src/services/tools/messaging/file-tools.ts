/**
 * Files in the team chat as tools: workspace files are sent after an approval that shows each file, its size
 * and the recipient; files of a channel are fetched. Nothing outside the workspace can be sent (T14).
 */
import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import { maxFileBytes, maxFilesPerMessage } from '../../../contract/file-methods.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import type { Assessment, Effect } from '../../../core/policy/assessment.ts';
import { roomSource } from '../../../core/policy/source.ts';
import { mimeTypeOf } from '../../../core/puffo/mime-types.ts';
import type { FileToSend, TeamChat } from '../../../core/tools/chat-files.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { blockedBy, failureOutput, previewBody, textOutput } from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { plainName, quotedName } from '../files/shown-path.ts';
import { checkChannel, shownChannel } from './check-channel.ts';
import { messageProvenance } from './fenced-messages.ts';
import { leftOutRoom } from './readable.ts';

const sendInput = z.strictObject({
  paths: z
    .array(z.string().min(1).max(1_000))
    .min(1)
    .max(maxFilesPerMessage)
    .describe('Files in your workspace, relative to it; at most 8 MiB each'),
  channel: z.string().min(1).max(200).describe('@slug of a person or agent, or the id of a channel'),
  is_visible_to_human: z
    .boolean()
    .describe('False folds the message away for people; true when they should read it'),
  caption: z.string().max(100_000).default('').describe('What you say with the files'),
  root_id: z.string().max(200).default('').describe('The thread to answer in; empty begins a new one'),
});
type SendInput = z.output<typeof sendInput>;

interface Chosen {
  readonly path: string;
  readonly real: string;
  readonly size: number;
}

const notRelative = fail('forbidden', 'tools.workspaceFilesOnly', {}, { help: 'tools.copyIntoWorkspace' });

async function chooseFile(files: ConfinedFiles, path: string): Promise<Result<Chosen>> {
  if (posix.isAbsolute(path) || win32.isAbsolute(path)) return err({ ...notRelative, where: path });
  const real = files.resolve(path, 'read');
  if (!real.ok) return real;
  const found = await files.stat(path);
  if (!found.ok) return found;
  const { kind, size } = found.value;
  if (kind !== 'file') return err(fail('unsupported', 'tools.notFile', {}, { where: path }));
  if (size <= maxFileBytes) return ok({ path, real: real.value, size });
  return err(fail('too_large', 'tools.fileTooLargeToSend', { size }, { where: path }));
}

async function chooseAll(files: ConfinedFiles, paths: readonly string[]): Promise<Result<readonly Chosen[]>> {
  const chosen: Chosen[] = [];
  for (const path of paths) {
    const one = await chooseFile(files, path);
    if (!one.ok) return one;
    chosen.push(one.value);
  }
  return ok(chosen);
}

function assessSend(
  { channel, caption, root_id: rootId }: SendInput,
  to: string,
  chosen: readonly Chosen[],
  sameThread: boolean,
): Assessment {
  const lines = chosen.map(({ path, size }) => `${plainName(path)} (${size.toLocaleString('en')} bytes)`);
  const title =
    chosen.length === 1
      ? say('actions.sendFile', { path: plainName(chosen[0]?.path ?? ''), room: to })
      : say('actions.sendFiles', { n: chosen.length, room: to });
  const body = [...lines, ...(caption === '' ? [] : ['', caption])].join('\n');
  const reads = chosen.map(({ real }): Effect => ({ kind: 'read', path: real }));
  return {
    // Text in the turn's own thread is its reply and needs no approval; a file does.
    risk: 'medium',
    effects: [{ kind: 'send', to: channel, sameThread }, ...reads],
    preview: {
      kind: 'text',
      title,
      ...previewBody(body),
      where: rootId === '' ? to : say('approvals.inThread', { room: to }),
    },
  };
}

const fileOf = (files: ConfinedFiles, { path }: Chosen): FileToSend => {
  const filename = path.split(/[/\\]/).at(-1) || 'file';
  return {
    filename,
    mimeType: mimeTypeOf(filename),
    async read() {
      const read = await files.read(path, { maxBytes: maxFileBytes });
      if (!read.ok) return read;
      if (read.value.size <= maxFileBytes) return ok(read.value.bytes);
      return err(fail('too_large', 'tools.fileGrewTooLarge', {}, { where: path }));
    },
  };
};

function createSendFilesTool(
  chat: Pick<TeamChat, 'here' | 'sendFiles' | 'channelName'>,
  files: ConfinedFiles,
  name: string,
): Tool {
  return defineTool({
    name,
    group: 'puffo',
    core: false,
    timeoutMs: 120_000,
    description:
      'Sends files of your workspace in the team chat, with or without words: to a person (@slug), or to a channel by its id. In the thread you are in it is your answer.',
    input: sendInput,
    // Sending twice under one call id sends one message.
    replay: 'safe',
    reveals: [],
    refusalReveals: ['files'],
    executionMode: 'sequential',
    async assess(args, { turnId }) {
      const channel = checkChannel(args.channel);
      const to = await shownChannel(chat, args.channel);
      const chosen = await chooseAll(files, args.paths);
      const here = chat.here(turnId);
      const sameThread = here !== null && here.channel === args.channel && here.rootId === args.root_id;
      const assessed = assessSend(args, to, chosen.ok ? chosen.value : [], sameThread);
      if (!channel.ok) return blockedBy(channel.error, assessed.preview);
      return chosen.ok ? assessed : blockedBy(chosen.error, assessed.preview);
    },
    async execute({ paths, channel, caption, is_visible_to_human: visible, root_id: rootId }, context) {
      const checked = checkChannel(channel);
      if (!checked.ok) return failureOutput(checked.error);
      const chosen = await chooseAll(files, paths);
      if (!chosen.ok) return failureOutput(chosen.error);
      const { turnId, callId } = context;
      const sent = await chat.sendFiles({
        turnId,
        callId,
        channel,
        text: caption,
        visible,
        rootId,
        files: chosen.value.map((one) => fileOf(files, one)),
      });
      if (!sent.ok) return failureOutput(sent.error);
      const what = chosen.value.length === 1 ? 'the file' : `${chosen.value.length} files`;
      const said = `Sent ${what} to ${plainName(channel)} (message ${sent.value.messageId}).`;
      return textOutput(said, sent.value);
    },
  });
}

function createFetchFilesTool(chat: Pick<TeamChat, 'fetchFiles' | 'roomOf'>): Tool {
  return defineTool({
    name: 'fetch_channel_files',
    group: 'puffo',
    core: false,
    timeoutMs: 300_000,
    description:
      'Fetches the files of the latest messages of a channel, or of a person (@slug), into your workspace, and says where they are.',
    input: z.strictObject({
      channel: z.string().min(1).max(200).describe('@slug of a person or agent, or the id of a channel'),
      limit: z.number().int().min(1).max(50).default(20).describe('About how many files'),
    }),
    replay: 'safe',
    foreign: true,
    reveals: [],
    executionMode: 'sequential',
    assess({ channel }) {
      const title = say('actions.fetchFiles', { channel: plainName(channel) });
      const preview = { kind: 'text', title, body: title.text, where: say('approvals.teamChat') } as const;
      const checked = checkChannel(channel);
      return checked.ok ? { risk: 'low', effects: [], preview } : blockedBy(checked.error, preview);
    },
    async execute({ channel, limit }, context) {
      const roomId = chat.roomOf(channel);
      const left = await leftOutRoom(context, roomId);
      if (left) return left;
      const fetched = await chat.fetchFiles(channel, limit, context.signal);
      if (!fetched.ok) return failureOutput(fetched.error);
      const lines = fetched.value.flatMap(({ messageId, senderSlug, sentAt, files }) =>
        files.map(({ path, failure }) => {
          const from = `from=@${plainName(senderSlug)} message=${plainName(messageId)} time=${timeOf(sentAt)}`;
          return `${quotedName(path)} ${from}${failure === null ? '' : ` not here: ${plainName(failure)}`}`;
        }),
      );
      const text = lines.length === 0 ? '[No files.]' : `${messageProvenance}\n${lines.join('\n')}`;
      return { ...textOutput(text), sources: [roomSource(roomId)] };
    },
  });
}

/** Whole seconds in UTC; empty if out of range. */
const timeOf = (ms: number): string =>
  ms > 0 && ms < 253_402_300_800_000 ? `${new Date(ms).toISOString().slice(0, 19)}Z` : '';

/** `files` must be confined to the workspace. */
export const createFileTools = (chat: TeamChat, files: ConfinedFiles): readonly Tool[] => [
  createSendFilesTool(chat, files, 'send_message_with_attachments'),
  createFetchFilesTool(chat),
];

/** The name that older clients use. */
export const createUploadTool = (chat: TeamChat, files: ConfinedFiles): Tool =>
  createSendFilesTool(chat, files, 'upload_file');
