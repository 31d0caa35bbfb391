import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { eachTestInFolder } from '../../test/fakes/each-test-in-folder.ts';
import { autostartText, linuxLoginItem, systemLoginItem } from './login-item.ts';

let folder = '';
eachTestInFolder('kennel-login-', (made) => {
  folder = made;
});

const place = () => ({ configHome: folder, mark: '', home: null, words: ['/opt/Kennel/kennel-app'] });

it('The Linux login item writes an autostart file that starts the app hidden, and removes it', () => {
  const item = linuxLoginItem(place());
  expect(item.enabled()).toBe(false);
  expect(item.set(true).ok).toBe(true);
  expect(item.enabled()).toBe(true);
  const text = readFileSync(path.join(folder, 'autostart/kennel.desktop'), 'utf8');
  expect(text).toContain('\nExec="/opt/Kennel/kennel-app" "--hidden"\n');
  expect(item.set(false).ok).toBe(true);
  expect(item.enabled()).toBe(false);
  expect(item.set(false).ok).toBe(true);
});

it('The Linux login item reports disabled if the desktop disabled it', () => {
  const item = linuxLoginItem(place());
  item.set(true);
  const file = path.join(folder, 'autostart/kennel.desktop');
  writeFileSync(file, `${readFileSync(file, 'utf8')}Hidden=true\n`);
  expect(item.enabled()).toBe(false);
});

it('The autostart file sets another data folder and escapes special characters', () => {
  const text = autostartText({ ...place(), home: '/srv/a "b" $HOME `id` %f \\', words: ['/x y'] });
  expect(text).toContain(
    'Exec=env "KENNEL_HOME=/srv/a \\\\"b\\\\" \\\\$HOME \\\\`id\\\\` %%f \\\\\\\\" "/x y" "--hidden"\n',
  );
});

it('The Linux login item reports an unwritable folder', () => {
  writeFileSync(path.join(folder, 'file'), '');
  const item = linuxLoginItem({ ...place(), configHome: path.join(folder, 'file') });
  expect(item.set(true)).toMatchObject({ ok: false, error: { code: 'io_error' } });
  expect(item.enabled()).toBe(false);
});

it('The system login item uses the settings of the system', () => {
  const said: object[] = [];
  let open = false;
  const item = systemLoginItem(
    {
      getLoginItemSettings: () => ({ openAtLogin: open }),
      setLoginItemSettings: (settings) => {
        said.push(settings);
        open = Reflect.get(settings, 'openAtLogin');
      },
    },
    ['/app'],
  );
  item.set(true);
  expect(item.enabled()).toBe(true);
  expect(said).toMatchObject([{ openAtLogin: true, args: ['/app', '--hidden'] }]);
});
