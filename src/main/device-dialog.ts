/** Asks the person at this computer about a device, where no page can answer. */
import { dialog } from 'electron';

export async function askAboutDevice(words: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message: 'Let another device into your account?',
    detail: `It must show exactly these words now:\n\n${words}\n\nIt will be you: it gets a copy of your identity key, reads what comes from now on and speaks for you. If you did not begin this on a device of yours, cancel.`,
    buttons: ['Cancel', 'The words are the same: let it in'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
