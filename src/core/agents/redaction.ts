/** Replaces very long messages by a note for the model; the stored message stays whole (spec §3.5). */
import { codePointLength, cutCodePoints } from '../lib/text.ts';
import { strip } from '../lib/whitespace.ts';

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
  readonly placeholder: string;
}

export const systemMessageToken = '[puffo-agent system message]';
const previewChars = 240;

/** A line break inside a field could forge further fields of the note. */
const oneLine = (text: string): string => strip(text.replaceAll('\n', ' '));

/** `null` if the text is short enough. */
export function redactLongMessage(message: LongMessage): Redaction | null {
  const totalChars = codePointLength(message.text);
  if (totalChars <= message.maxInline) return null;
  const segments = Math.ceil(totalChars / Math.max(1, message.segmentSize));
  const { senderName, senderSlug } = message;
  const sender = oneLine(senderName ? `@${senderName} (${senderSlug})` : `@${senderSlug}`);
  const head = oneLine(cutCodePoints(message.text, previewChars));
  const preview = totalChars > previewChars ? `${head}…` : head;
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
