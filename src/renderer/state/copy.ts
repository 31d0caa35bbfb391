import { t } from '../../language/texts.ts';
import { say } from './screen.ts';

/** Into the clipboard, and says whether it got there. */
export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => say(t('states.copied')),
    () => say(t('states.notCopied'), 'error'),
  );
