/** Asks the operator in a system dialog, which no page can answer. */

import { dialog } from 'electron';
import { t } from '../language/texts.ts';

export async function askAboutDevice(words: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: t('shell.letDeviceIn'),
    detail: t('shell.letDeviceInDetail', { words }),
    buttons: [t('shell.cancel'), t('shell.letItIn')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
