/** The operator's own name and picture in the settings. */
import { deflateSync } from 'node:zlib';
import { expectAccessible } from './axe.ts';
import { demoRooms } from './fake-data.ts';
import { expect, takePicture, test } from './open-page.ts';

/** A PNG of 2 x 2 pixels. */
function smallPng(): Buffer {
  const crc = (bytes: Buffer): number => {
    let sum = 0xffffffff;
    for (const byte of bytes) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum >>> 0;
  };
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const row = [0, 200, 80, 40, 40, 80, 200];
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from([...row, ...row]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('Name and picture can be changed in the settings; an error is shown in the form', async ({
  page,
  open,
}) => {
  const { host } = await open({}, '#/settings/profile');
  const name = page.getByLabel('Your name');
  await expect(name).toHaveValue('You');
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();

  host.failing.set('profile.editOwn', {
    ...({ code: 'invalid_input', message: 'That is not a picture that Kennel can show.' } as const),
  });
  await page
    .getByLabel('Picture')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: smallPng() });
  await expect(page.getByAltText('Chosen picture')).toBeVisible();
  await save.click();
  await expect(page.getByRole('alert')).toContainText('not a picture');
  await expect(page.getByAltText('Chosen picture')).toBeVisible();

  host.failing.delete('profile.editOwn');
  await name.fill('Ada Lovelace');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved.')).toBeVisible();
  const [, sent] = host.calls.filter((call) => call.method === 'profile.editOwn');
  expect(sent?.input).toMatchObject({ displayName: 'Ada Lovelace', avatar: { contentType: 'image/png' } });
  await expect(name).toHaveValue('Ada Lovelace');
  await expect(page.locator('.picture-field .avatar img')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await takePicture(page, 'profile-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await takePicture(page, 'profile-light');
  await expectAccessible(page);
});

test('Without a server account there is no profile to change', async ({ page, open }) => {
  await open({ rooms: { ...demoRooms(), self: null }, host: { operator: null } }, '#/settings/profile');
  await expect(page.getByText('You have no account on a server yet')).toBeVisible();
});
