import { t } from '../../language/texts.ts';
import { say } from './screen.ts';

/** Copies text to the clipboard and shows a toast about the result. */
export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => say(t('states.copied')),
    () => say(t('states.notCopied'), 'error'),
  );
