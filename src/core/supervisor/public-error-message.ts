/**
 * Public error message of a failed turn. The server cannot read messages, but a model server's error text may
 * quote them, so the server gets only the error class in Kennel's own wording.
 */
import type { AppError, ErrorCode } from '../../contract/errors.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

const words: Partial<Readonly<Record<ErrorCode, HostText>>> = {
  model_error: say('turns.modelRefusedRequest'),
  too_large: say('turns.conversationTooLarge'),
  rate_limited: say('turns.modelAskedTooOften'),
  unauthenticated: say('turns.modelRefusedKey'),
  unavailable: say('turns.modelUnavailable'),
  timeout: say('chat.timedOut'),
  not_found: say('turns.unknownModel'),
  disk_full: say('turns.diskFull'),
  io_error: say('turns.diskFailed'),
};

export const publicErrorMessage = ({ code }: Pick<AppError, 'code'>): string =>
  `${code}: ${englishText(words[code] ?? 'It did not work.')} Its operator sees more.`;
