/**
 * What a server is told of a turn that failed. It cannot read the messages, and what a model server says of its refusal
 * may repeat them: so it is told the class of the failure with our words for it, and never its own.
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

export const wordsForServer = ({ code }: Pick<AppError, 'code'>): string =>
  `${code}: ${words[code] ?? 'It did not work.'} Its operator sees more.`;
