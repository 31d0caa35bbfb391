import type { ChatMessage } from '../../contract/model.ts';
import { visibleTerminalLine } from '../visible-text.ts';

const mib = 1024 * 1024;

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < mib ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / mib).toFixed(1)} MiB`;
}

/** Numbered for `kennel files get`. */
export const fileLines = ({ attachments }: ChatMessage): readonly string[] =>
  attachments.map(({ filename, mimeType, size, sent }, index) => {
    const way = sent !== null && sent < size ? `, ${sizeText(sent)} sent` : '';
    return `  file ${index + 1}: ${visibleTerminalLine(filename)} (${visibleTerminalLine(mimeType)}, ${sizeText(size)}${way})`;
  });
