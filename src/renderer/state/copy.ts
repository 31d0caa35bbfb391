import { say } from './screen.ts';

/** Into the clipboard, and says whether it got there. */
export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => say('Copied.'),
    () => say('The text could not be copied here. Select it and copy it by hand.', 'error'),
  );
