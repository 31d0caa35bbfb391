/** Sends a message that failed once more. Its files are read from where they are kept and go up anew. */

import { maxFileBytes } from '../../contract/file-methods.ts';
import type { HostClient } from '../../contract/host-api.ts';
import type { ChatMessage } from '../../contract/model.ts';
import { ok, type Result } from '../../contract/result.ts';
import { fetchFile } from './fetch-file.ts';
import { type Outgoing, uploadAll } from './upload.ts';

const quiet = () => undefined;

async function filesOf(link: HostClient, message: ChatMessage): Promise<Result<readonly Outgoing[]>> {
  const files: Outgoing[] = [];
  for (const [index, { filename, mimeType }] of message.attachments.entries()) {
    const { signal } = new AbortController();
    const found = await fetchFile(
      link,
      { message: message.id, index },
      { limit: maxFileBytes, signal, progress: quiet },
    );
    if (!found.ok) return found;
    files.push({ name: filename, file: new Blob([found.value], { type: mimeType }) });
  }
  return ok(files);
}

export async function sendAgain(link: HostClient, message: ChatMessage): Promise<Result<unknown>> {
  const files = await filesOf(link, message);
  if (!files.ok) return files;
  const ids = await uploadAll(link, files.value, new AbortController().signal, quiet);
  if (!ids.ok) return ids;
  const { roomId: to, text, threadRootId } = message;
  return link.call('chat.send', {
    to,
    text,
    ...(threadRootId === null ? {} : { threadRootId }),
    ...(ids.value.length === 0 ? {} : { files: [...ids.value] }),
  });
}
