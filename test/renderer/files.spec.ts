/** Files in the chat: added by drop, paste and button, uploaded in pieces, shown and saved. */
import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { message, mine } from './fake-data.ts';
import type { FakeHost } from './fake-host.ts';
import { expect, type Page, takePicture, test } from './open-page.ts';

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG of one colour; `claims` is the size in its header. */
function png(side: number, claims = side): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(claims, 0);
  head.writeUInt32BE(claims, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, 0x88)]);
  const body = deflateSync(Buffer.concat(Array.from({ length: side }, () => line)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const file = (name: string, buffer: Buffer, mimeType = 'application/octet-stream') => ({
  name,
  mimeType,
  buffer,
});

const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').first().setInputFiles(files);

/** Dispatches the browser's own event with files. */
const give = (
  page: Page,
  kind: 'drop' | 'paste',
  name: string,
  mimeType: string,
  base64: string,
  onto = '.timeline',
) =>
  page.evaluate(
    ([event, filename, type, content, place]) => {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], filename, { type }));
      const at = document.querySelector(event === 'drop' ? place : '.composer textarea');
      const init = { bubbles: true, cancelable: true };
      at?.dispatchEvent(
        event === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: transfer })
          : new ClipboardEvent('paste', { ...init, clipboardData: transfer }),
      );
    },
    [kind, name, mimeType, base64, onto] as const,
  );

/** Adds a message of Guide with these files. */
function put(host: FakeHost, files: readonly (readonly [string, Buffer])[]): void {
  host.files.held.set(
    'msg_f',
    files.map(([filename, bytes]) => ({ filename, mimeType: 'image/png', size: bytes.length, bytes })),
  );
  const attachments = files.map(([filename, bytes]) => ({
    filename,
    mimeType: 'image/png',
    size: bytes.length,
    sent: null,
  }));
  host.add(message('msg_f', { text: 'look', attachments }));
}

test('Files are added by drop, paste and button, uploaded in pieces and listed under the message', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/chat/ch_general');
  await expect(page.getByLabel('Message #general')).toBeVisible();
  const big = Buffer.alloc(900_000, 7);
  await choose(page, file('plan.bin', big));
  await give(page, 'drop', 'photo.png', 'image/png', png(40).toString('base64'));
  await give(page, 'paste', 'shot.png', 'image/png', png(20).toString('base64'));
  const tray = page.getByRole('list', { name: 'Files of this message' });
  await expect(tray.getByRole('listitem')).toHaveCount(3);
  await expect(tray.locator('img'), 'drawn here').toHaveCount(2);
  await page.getByRole('button', { name: 'Remove shot.png' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Files', exact: true })).toContainText('plan.bin');
  await expect(tray).toHaveCount(0);
  const [plan, photo] = [...host.files.uploads.values()];
  expect(plan?.bytes.equals(big)).toBe(true);
  expect(photo?.filename).toBe('photo.png');
  expect(host.calls.filter((call) => call.method === 'files.piece')).toHaveLength(4);
});

test('A file dropped on a thread is attached to the reply there', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  host.add(message('msg_root', { text: 'What do you think?' }));
  const row = page.getByRole('article').filter({ hasText: 'What do you think?' });
  // The buttons of a row come with the pointer.
  await row.hover();
  await row.getByRole('button', { name: 'Reply in a thread' }).click();
  const pane = page.getByRole('complementary', { name: 'Thread' });
  await give(page, 'drop', 'photo.png', 'image/png', png(40).toString('base64'), '.inspector-body');
  await expect(pane.getByRole('list', { name: 'Files of this message' })).toContainText('photo.png');
  await pane.getByLabel('Reply in this thread').fill('this');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => host.calls.filter((call) => call.method === 'chat.send').map((call) => call.input))
    .toMatchObject([{ threadRootId: 'msg_root', files: ['up_1'] }]);
});

test('File limits are reported before anything is sent', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  await choose(page, file('film.mkv', Buffer.alloc(8 * 1024 * 1024 + 1)));
  await expect(page.getByText('film.mkv is larger than 8 MiB, the size limit.')).toBeVisible();
  const many = Array.from({ length: 12 }, (_, n) => file(`${n}.txt`, Buffer.from('x')));
  await choose(page, ...many);
  await expect(page.getByText('at most 10 files, so 2 were left out')).toBeVisible();
  expect(host.calls.some((call) => call.method === 'files.begin')).toBe(false);
});

test('A stopped or failed upload keeps the text and files', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  host.files.pieceMs = 400;
  await page.getByLabel('Message #general').fill('with a file');
  await choose(page, file('slow.bin', Buffer.alloc(1_200_000)));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('progressbar', { name: 'Uploading slow.bin' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop sending' }).click();
  await expect(page.getByRole('button', { name: 'Remove slow.bin' })).toBeVisible();
  await expect(page.getByLabel('Message #general')).toHaveValue('with a file');
  await expect.poll(() => host.files.cancelled).toEqual(['up_1']);
  host.failing.set('files.begin', { code: 'disk_full', message: 'The disk is full.' });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Your text and files are still below.');
  expect(host.calls.some((call) => call.method === 'chat.send')).toBe(false);
});

test('An image in view is fetched and redrawn; a click opens it large, Escape closes it', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/chat/ch_general');
  put(host, [
    ['cat.png', png(60)],
    ['notes.txt', Buffer.from('text')],
  ]);
  const small = page.getByRole('button', { name: 'Open cat.png large' });
  await expect(small).toBeVisible();
  const fetched = () => host.calls.filter(({ method }) => method === 'chat.file').map(({ input }) => input);
  expect(fetched()).toEqual([expect.objectContaining({ index: 0 })]);
  await expect(small.locator('img')).toHaveAttribute('alt', 'cat.png');
  expect(await small.locator('img').getAttribute('src')).toMatch(/^data:image\/png;base64,/);
  await takePicture(page, 'file-inline');
  await small.click();
  const picture = page.getByRole('dialog').getByRole('img', { name: 'cat.png' });
  await expect(picture).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(small).toBeFocused();
});

test('T21: An invalid image is not shown, and file names cannot hide their extension', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/chat/ch_general');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  put(host, [
    ['drawing.png', svg],
    ['bomb.png', png(10, 60_000)],
    ['report\u202egnp.exe', Buffer.from('MZ')],
  ]);
  for (const name of ['drawing.png', 'bomb.png']) {
    await page.getByRole('button', { name: `Show ${name}` }).click();
    await expect(page.getByRole('listitem').filter({ hasText: name }).getByRole('alert')).toContainText(
      'This picture cannot be shown here',
    );
  }
  await expect(page.getByText('report[U+202E]gnp.exe')).toBeVisible();
  await expect(page.locator('.attachments img')).toHaveCount(0);
});

test('A download has the content and name of the file', async ({ page, open }) => {
  const { host } = await open({}, '#/chat/ch_general');
  const bytes = Buffer.alloc(700_000, 3);
  put(host, [['notes.txt', bytes]]);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download notes.txt' }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('notes.txt');
  expect(readFileSync(await download.path()).equals(bytes)).toBe(true);
});

test('An upload shows its progress; a failed message is resent with its files', async ({ page, open }) => {
  const attachments = [{ filename: 'a.bin', mimeType: 'x/y', size: 1000, sent: 250 }];
  const { host } = await open(
    { messages: [mine('m1', 'here', { attachments, delivery: 'pending' })] },
    '#/chat/ch_general',
  );
  await expect(page.getByRole('progressbar', { name: 'Sending a.bin' })).toHaveAttribute('value', '25');
  host.feed.patch('room:ch_general', {
    op: 'set',
    path: ['messages', 0],
    value: mine('m1', 'here', {
      attachments: [{ filename: 'a.bin', mimeType: 'x/y', size: 1000, sent: null }],
      delivery: 'failed',
      deliveryError: 'the server was away',
    }),
  });
  await expect(page.getByText('Text and files are kept here.')).toBeVisible();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect
    .poll(() => host.calls.filter((call) => call.method === 'chat.retry').map((call) => call.input))
    .toEqual([{ message: 'm1' }]);
  await expect(page.getByText('Sending… Saved on this computer.')).toBeVisible();
});
