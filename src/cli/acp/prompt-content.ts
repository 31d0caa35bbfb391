import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResource } from '@agentclientprotocol/sdk';
import { fenced, fenceMark } from '../../contract/fence.ts';
import { maxFileBytes, maxFilesPerMessage } from '../../contract/file-methods.ts';
import { copy } from '../copy.ts';
import { commandFailure } from '../terminal.ts';

// A prompt of an editor as a message of the chat: its text, and files for what is not text or too long.

export interface PromptFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export interface PromptContent {
  readonly text: string;
  readonly files: readonly PromptFile[];
}

/** Characters of an embedded file that are given in the message; a longer one is attached. */
const longestInline = 3_000;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The path of a `file:` address with its range of lines; every other address as it is. */
export function shownAddress(uri: string): string {
  try {
    const url = new URL(uri);
    if (url.protocol !== 'file:') return oneLine(uri);
    const { hash } = url;
    url.hash = '';
    return oneLine(`${fileURLToPath(url)}${hash}`);
  } catch {
    return oneLine(uri);
  }
}

/** Last part of the address, for the name of an attached file. */
function filenameOf(uri: string, fallback: string): string {
  const [path = ''] = shownAddress(uri).split(/[?#]/);
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return name === '' ? fallback : name.slice(0, 200);
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

function decoded(base64: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw commandFailure('invalid_input', 'cliAcp.notBase64');
  return Buffer.from(base64, 'base64');
}

/** A short text is given in the message, fenced; everything else is a file. */
function embedded(resource: EmbeddedResource['resource'], before: number) {
  const address = shownAddress(resource.uri);
  if ('text' in resource && resource.text.length <= longestInline)
    return {
      part: `${copy('cliAcp.embedded')}${fenced(fenceMark(resource.text), address, resource.text)}`,
      file: null,
    };
  const filename = filenameOf(resource.uri, `file-${before + 1}`);
  const [mimeType, bytes] =
    'text' in resource
      ? (['text/plain', Buffer.from(resource.text)] as const)
      : ([resource.mimeType ?? 'application/octet-stream', decoded(resource.blob)] as const);
  return { part: `[${oneLine(filename)}](${address})`, file: { filename, mimeType, bytes } };
}

export function readPrompt(blocks: readonly ContentBlock[]): PromptContent {
  const parts: string[] = [];
  const files: PromptFile[] = [];
  const attach = (file: PromptFile): void => {
    if (file.bytes.length > maxFileBytes)
      throw commandFailure('too_large', 'cliAcp.fileTooLarge', { name: file.filename });
    if (files.push(file) > maxFilesPerMessage)
      throw commandFailure('too_large', 'cliAcp.tooManyFiles', { most: maxFilesPerMessage });
  };
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        parts.push(block.text);
        break;
      case 'resource_link':
        parts.push(`[${oneLine(block.name)}](${shownAddress(block.uri)})`);
        break;
      case 'image': {
        const { mimeType, data, uri } = block;
        const fallback = `image-${files.length + 1}.${extensions[mimeType] ?? 'img'}`;
        attach({ filename: filenameOf(uri ?? '', fallback), mimeType, bytes: decoded(data) });
        break;
      }
      case 'resource': {
        const { part, file } = embedded(block.resource, files.length);
        parts.push(part);
        if (file) attach(file);
        break;
      }
      default:
        throw commandFailure('unsupported', 'cliAcp.unsupportedContent', { type: block.type });
    }
  }
  return { text: joinParts(parts), files };
}

/** Links stay in their sentence; a fence starts and ends with a line break of its own. */
const joinParts = (parts: readonly string[]): string =>
  parts.reduce((text, part) => {
    const isApart = text === '' || /\s$/.test(text) || /^\s/.test(part);
    return isApart ? `${text}${part}` : `${text} ${part}`;
  }, '');
