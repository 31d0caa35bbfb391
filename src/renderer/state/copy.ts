import { t } from '../../language/texts.ts';
import { showNotice } from './screen.ts';

/** Copies text to the clipboard and shows a toast about the result. */
export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => showNotice(t('states.copied')),
    () => showNotice(t('states.notCopied'), 'error'),
  );
