/** Replaces very long messages by a note before a model reads them; the stored message stays whole (spec §3.5). */
import { codePointLength, cutCodePoints } from '../lib/text.ts';

export interface LongMessage {
  readonly text: string;
  readonly envelopeId: string;
  readonly senderSlug: string;
  readonly senderName: string;
  /** Code points, both. */
  readonly maxInline: number;
  readonly segmentSize: number;
}

export interface Redaction {
  readonly envelopeId: string;
  readonly totalChars: number;
  readonly segments: number;
  readonly sender: string;
  readonly preview: string;
  /** What the model reads instead. */
  readonly placeholder: string;
}

export const systemMessageToken = '[puffo-agent system message]';
const previewChars = 240;

/** Null when the text is short enough to be shown whole. */
export function redactLongMessage(message: LongMessage): Redaction | null {
  const totalChars = codePointLength(message.text);
  if (totalChars <= message.maxInline) return null;
  const segments = Math.ceil(totalChars / Math.max(1, message.segmentSize));
  const handle = `@${message.senderSlug}`;
  const sender = message.senderName ? `${message.senderName} (${handle})` : handle;
  const short = cutCodePoints(message.text, previewChars);
  const preview = short.length < message.text.length ? `${short}…` : short;
  const placeholder = [
    `${systemMessageToken} This message is too long to show here.`,
    `- envelope_id: ${message.envelopeId}`,
    `- total_chars: ${totalChars}`,
    `- segments: ${segments}`,
    `- sender: ${sender}`,
    `- preview: ${preview}`,
  ].join('\n');
  return { envelopeId: message.envelopeId, totalChars, segments, sender, preview, placeholder };
}
