/** Standard forms of tool output and previews. */
import type { AppError } from '../../contract/errors.ts';
import { cutCodePoints } from '../lib/text.ts';
import { textBlock } from '../models/messages.ts';
import type { Assessment, CallPreview } from '../policy/assessment.ts';
import type { ToolOutput } from './tool.ts';

/** Most code points of a preview. */
export const maxPreview = 64 * 1024;

export const textOutput = (text: string, details?: unknown): ToolOutput =>
  details === undefined ? { content: [textBlock(text)] } : { content: [textBlock(text)], details };

export const toolErrorOutput = (text: string, details?: unknown): ToolOutput => ({
  ...textOutput(text, details),
  isError: true,
});

export function failureText(error: AppError): string {
  const where = error.where === undefined ? '' : ` (${error.where})`;
  return `${error.message}${where}${error.hint ? ` ${error.hint}` : ''}`;
}

export const failureOutput = (error: AppError): ToolOutput =>
  toolErrorOutput(failureText(error), { code: error.code });

/** Body of a preview. A cut preview says so, and cannot be approved. */
export function previewBody(text: string): Pick<CallPreview, 'body' | 'cut'> {
  const cut = cutCodePoints(text, maxPreview);
  if (cut.length === text.length) return { body: text };
  const note = `… cut here: this is the beginning of ${text.length.toLocaleString('en')} characters.`;
  return { body: `${cut}\n${note}`, cut: true };
}

/** A call that the tool itself refuses, with the message of the failure. */
export function blockedBy(error: AppError, preview: CallPreview): Assessment {
  const message = failureText(error);
  return { risk: 'low', effects: [], preview, blocked: { reason: error.code, message } };
}
