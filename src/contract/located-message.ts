import type { HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';
import { errorSentence, isPlaced } from './error-text.ts';
import { type AppError, messageOf } from './errors.ts';

/** The message of an error with its place in parentheses. */
export const placedMessage = (error: Pick<AppError, 'message' | 'said' | 'where'>): HostText =>
  isPlaced(error)
    ? {
        ...say('doctor.placed', { message: messageOf(error), place: error.where ?? '' }),
        text: errorSentence(error),
      }
    : messageOf(error);
