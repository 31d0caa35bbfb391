/**
 * Public error message of a failed turn. The server cannot read messages, but a model server's error text may
 * quote them, so the server gets only the error class in Kennel's own wording.
 */
import type { AppError, ErrorCode } from '../../contract/errors.ts';

const words: Partial<Readonly<Record<ErrorCode, string>>> = {
  model_error: 'The model refused the request.',
  too_large: 'The conversation is too large for the model.',
  rate_limited: 'The model is asked too often, or a budget is used up.',
  unauthenticated: 'The model refused the key.',
  unavailable: 'The model cannot be reached now.',
  timeout: 'It took too long.',
  not_found: 'The model is not there.',
  disk_full: 'The disk is full.',
  io_error: 'The disk does not work.',
};

export const publicErrorMessage = ({ code }: Pick<AppError, 'code'>): string =>
  `${code}: ${words[code] ?? 'It did not work.'} Its operator sees more.`;
