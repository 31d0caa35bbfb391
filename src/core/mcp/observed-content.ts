/** Content of a watched resource as text: what is compared, stored and shown to the agent. Untrusted. */

import { utf8 } from '../lib/bytes.ts';
import { writeStable } from '../lib/stable-json.ts';
import { codePointLength, cutCodePoints } from '../lib/text.ts';
import type { McpContent, McpResourceContent, McpToolResult } from './mcp-ports.ts';

/** Longest text that is kept of one resource. */
const maxKept = 200_000;

export interface Observed {
  /** Hash of the whole content. */
  readonly digest: string;
  /** The beginning, if the content is longer. */
  readonly text: string;
}

const resourceText = ({ uri, mimeType = 'bytes', text, blob = '' }: McpResourceContent): string =>
  text ?? `[${mimeType} at ${uri}, ${Math.floor((blob.length * 3) / 4)} bytes]`;

export function mcpContentText(content: McpContent): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
    case 'audio':
      return `[${content.type}, ${content.mimeType}]`;
    case 'resourceLink':
      return `[${content.name}: ${content.uri}]`;
    case 'resource':
      return resourceText(content.resource);
  }
}

type Sha256Hex = (bytes: Uint8Array) => string;

const observed = (whole: string, shown: string, sha256: Sha256Hex): Observed => ({
  digest: sha256(utf8(whole)),
  text: codePointLength(shown) > maxKept ? cutCodePoints(shown, maxKept) : shown,
});

/** Compares `structured` if the server sent it, else all content, not only the first text. */
export function observedResult({ content, structured }: McpToolResult, sha256: Sha256Hex): Observed {
  if (structured !== undefined)
    return observed(writeStable(structured), JSON.stringify(structured, null, 2), sha256);
  return observed(writeStable(content), content.map(mcpContentText).join('\n'), sha256);
}

export const observedResource = (contents: readonly McpResourceContent[], sha256: Sha256Hex): Observed =>
  observed(writeStable(contents), contents.map(resourceText).join('\n'), sha256);
