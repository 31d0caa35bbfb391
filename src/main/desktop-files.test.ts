import { describe, expect, test } from 'vitest';
import { textError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { createDesktopFiles, type DesktopFilesDeps } from './desktop-files.ts';

const facts = { version: '1.0.0', madeAt: 1, files: 3, bytes: 99 };
const damaged = textError('corrupt', 'The backup is damaged.');

function build(change: Partial<DesktopFilesDeps> = {}) {
  const said: string[] = [];
  const asked: unknown[] = [];
  const files = createDesktopFiles({
    dialogs: {
      importFile: async () => '/picked/a.zip',
      importFolder: async () => '/picked/folder',
      agentFolder: async () => '/picked/notes',
      skillFolder: async () => '/picked/tables',
      skillFile: async () => '/picked/tables.zip',
      backupFolder: async () => '/picked/backup',
      backupTarget: async () => '/picked/target',
    },
    ownsHost: () => true,
    async ask(principal, method, input) {
      asked.push([principal.kind, method, input]);
      return ok({ transferId: 'tr_1', path: '/picked/target', files: 3, bytes: 99 });
    },
    loadWork: async () => ({
      look: async () => ok(facts),
      async restore(from, onProgress) {
        said.push(`restore ${from}`);
        onProgress(1, 3);
        return ok({ files: 3, aside: '/home/ada/.kennel.before' });
      },
    }),
    async withoutHost(work) {
      said.push('host stops');
      const done = await work();
      said.push('host starts');
      return done;
    },
    ...change,
  });
  return { files, said, asked };
}

const settled = async (files: ReturnType<typeof createDesktopFiles>) => {
  while (files.restoreState()?.type === 'running') await new Promise(setImmediate);
  return files.restoreState();
};

describe('File picker', () => {
  test('passes the path to the host as the owner; the page gets only a transfer id', async () => {
    const { files, asked } = build();
    expect(await files.pickImport('folder')).toEqual(ok({ transferId: 'tr_1' }));
    expect(await files.pickImport('file')).toEqual(ok({ transferId: 'tr_1' }));
    expect(asked).toEqual([
      ['owner-cli', 'bundles.hold', { path: '/picked/folder' }],
      ['owner-cli', 'bundles.hold', { path: '/picked/a.zip' }],
    ]);
  });

  test('returns the folder for an agent and asks nothing of the host', async () => {
    const { files, asked } = build();
    expect(await files.pickFolder()).toEqual(ok({ path: '/picked/notes' }));
    expect(asked).toEqual([]);
  });

  test('returns the folder or file with skills', async () => {
    const { files, asked } = build();
    expect(await files.pickSkills('folder')).toEqual(ok({ path: '/picked/tables' }));
    expect(await files.pickSkills('file')).toEqual(ok({ path: '/picked/tables.zip' }));
    expect(asked).toEqual([]);
  });

  test('does nothing on cancel and opens no second dialog (T22)', async () => {
    let close: (path: null) => void = () => undefined;
    const open = new Promise<null>((resolve) => {
      close = resolve;
    });
    let opened = 0;
    const ask = async () => {
      opened += 1;
      return open;
    };
    const dialogs = {
      importFile: ask,
      importFolder: ask,
      agentFolder: ask,
      skillFolder: ask,
      skillFile: ask,
      backupFolder: ask,
      backupTarget: ask,
    };
    const { files, asked } = build({ dialogs });
    const first = files.saveBackup();
    expect(await files.pickImport('folder')).toEqual(ok({ transferId: null }));
    expect(await files.pickBackup()).toEqual(ok({ backup: null }));
    expect(await files.pickFolder()).toEqual(ok({ path: null }));
    expect(await files.pickSkills('file')).toEqual(ok({ path: null }));
    close(null);
    expect(await first).toEqual(ok({ saved: null }));
    expect({ opened, asked }).toEqual({ opened: 1, asked: [] });
  });
});

describe('Backup restore', () => {
  test('stops the host, restores, starts the host and reports where the old folder is', async () => {
    const { files, said } = build();
    expect(await files.pickBackup()).toEqual(ok({ backup: { path: '/picked/backup', ...facts } }));
    expect(await files.restore()).toEqual(ok({}));
    expect(await settled(files)).toEqual({ type: 'done', files: 3, aside: '/home/ada/.kennel.before' });
    expect(said).toEqual(['host stops', 'restore /picked/backup', 'host starts']);
  });

  test('needs a backup that a person just picked, once (T22)', async () => {
    const { files, said } = build();
    expect(await files.restore()).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await files.pickBackup();
    await files.restore();
    await settled(files);
    expect(await files.restore()).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(said.filter((one) => one.startsWith('restore'))).toHaveLength(1);
  });

  test('is refused while another process owns the folder', async () => {
    const { files, said } = build({ ownsHost: () => false });
    await files.pickBackup();
    expect(await files.restore()).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(said).toEqual([]);
  });

  test.each<[string, () => Promise<Result<never>>]>([
    ['damaged', async () => err(damaged)],
    ['a bug', () => Promise.reject(new Error('no'))],
  ])('reports a failure (%s) and allows another pick', async (_name, restore) => {
    const { files } = build({ loadWork: async () => ({ look: async () => ok(facts), restore }) });
    await files.pickBackup();
    await files.restore();
    expect(await settled(files)).toMatchObject({ type: 'failed', error: { message: expect.any(String) } });
    await files.pickBackup();
    expect(await files.restore()).toEqual(ok({}));
  });
});
