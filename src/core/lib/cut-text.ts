import { englishText, type HostText } from '../../language/host-message.ts';
import { cutCodePoints } from './text.ts';

/** A text of at most `limit` code points; a message that is longer becomes text in English. */
export function cutText(text: HostText, limit: number): HostText {
  const english = englishText(text);
  const cut = cutCodePoints(english, limit);
  return cut.length < english.length ? cut : text;
}
