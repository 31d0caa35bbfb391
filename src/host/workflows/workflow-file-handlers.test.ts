import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileRows } from './workflow-file-handlers.ts';
import { createWorkflowFiles } from './workflow-files.ts';

it('workflows.read reads workflow files anywhere and refuses other files (T22)', async () => {
  const home = mkdtempSync(join(tmpdir(), 'kennel-files-'));
  try {
    const folder = join(home, 'workflows');
    mkdirSync(folder);
    const rows = createFileRows(async () => createWorkflowFiles(folder, null));
    const read = (file: string) => rows['workflows.read']({ file }, { kind: 'owner-ui' });
    writeFileSync(join(home, 'mine.puppy'), 'steps: [{id: a, run: echo}]\n');
    writeFileSync(join(home, 'id_ed25519'), 'a key');
    expect(await read(join(home, 'mine.puppy'))).toMatchObject({ ok: true });
    for (const file of [join(home, 'id_ed25519'), '../id_ed25519', '/etc/hostname'])
      expect(await read(file), file).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  } finally {
    rmSync(home, { recursive: true });
  }
});
