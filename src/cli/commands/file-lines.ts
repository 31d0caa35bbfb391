import type { ChatMessage } from '../../contract/model.ts';
import { copy } from '../copy.ts';
import { visibleTerminalLine } from '../visible-text.ts';

const mib = 1024 * 1024;

export function sizeText(bytes: number): string {
  if (bytes < 1024) return copy('cliValues.bytesFew', { bytes });
  return bytes < mib ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / mib).toFixed(1)} MiB`;
}

/** Numbered for `kennel files get`. */
export const fileLines = ({ attachments }: ChatMessage): readonly string[] =>
  attachments.map(({ filename, mimeType, size, sent }, index) => {
    const file = {
      number: index + 1,
      name: visibleTerminalLine(filename),
      type: visibleTerminalLine(mimeType),
      size: sizeText(size),
    };
    return sent !== null && sent < size
      ? `  ${copy('cliFiles.fileLineSent', { ...file, sent: sizeText(sent) })}`
      : `  ${copy('cliFiles.fileLine', file)}`;
  });
