/** Errors that programs answer with, by the Agent Client Protocol. */
import { type AppError, textError } from '../../../contract/errors.ts';
import { say } from '../../../language/say.ts';
import { modelError } from '../program/program-errors.ts';
import type { AcpFailure } from './acp-messages.ts';
import type { AcpAnswer, AcpRefusal } from './acp-ports.ts';

const authRequired = -32_000;

/** Most programs name the status of the model's server in their text. */
const statusIn = /\b(4(?:0[0-9]|13|22|29)|5[0-9]{2})\b/;

export function acpError({ code, message }: AcpRefusal): AppError {
  if (code === authRequired) {
    const hint = { hint: message.slice(0, 300) };
    return textError('unauthenticated', say('turns.modelRefusedKey'), hint);
  }
  const status = code >= 400 && code < 600 ? code : Number(statusIn.exec(message)?.[1] ?? 0);
  return modelError(message, status === 0 ? null : status);
}

/** HTTP statuses with the meaning of a category; other categories say nothing about the reason. */
const categories: Readonly<Record<string, number>> = { access: 401, limit: 429, connection: 503 };

/** A turn that failed, by the program's own account, though it ended like an answered one. */
export const failureError = ({ category, title }: AcpFailure): AppError =>
  acpError({ code: categories[category] ?? 0, message: title });

/** The program ended before it answered. */
export const isGone = (answer: AcpAnswer): boolean => !answer.ok && answer.error.code === 0;
