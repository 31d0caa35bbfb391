import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Result } from '../../contract/result.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { createOutgoingFiles } from '../../services/files/outgoing-files.ts';
import { createUploadProgress } from './upload-progress.ts';
import { createPageUploads } from './uploads.ts';

const random = createSystemRandom();
const crypto = createNobleEngine();
const file = { filename: 'x/notes.md', mimeType: 'application/octet-stream', size: 5 };
let folder = '';
eachTestInFolder('kennel-uploads-', (made) => {
  folder = made;
});

function rig() {
  const clock = createVirtualClock();
  const into = createOutgoingFiles({ folder, crypto, random });
  return { clock, into, uploads: createPageUploads({ clock, random }) };
}
function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

test('An upload takes its pieces in order and belongs to one message', async () => {
  const { into, uploads } = rig();
  const id = must(await uploads.begin(into, file));
  expect(uploads.files(into, [id])).toMatchObject({ error: { code: 'conflict' } });
  expect(must(await uploads.piece(id, 0, Buffer.from('abc')))).toBe(3);
  for (const [offset, bytes] of [
    [0, 'abc'],
    [4, 'x'],
    [3, 'too long'],
    [3, ''],
  ] as const) {
    expect(await uploads.piece(id, offset, Buffer.from(bytes))).toMatchObject({
      error: { code: 'conflict' },
    });
  }
  expect(must(await uploads.piece(id, 3, Buffer.from('de')))).toBe(5);
  expect(await uploads.piece(id, 5, Buffer.from('f'))).toMatchObject({ error: { code: 'conflict' } });
  const [whole] = must(uploads.files(into, [id]));
  expect(whole).toMatchObject({ filename: 'notes.md', mimeType: 'text/markdown', size: 5 });
  expect(uploads.files(into, [id, id])).toMatchObject({ error: { code: 'invalid_input' } });
  expect(uploads.files(rig().into, [id])).toMatchObject({ error: { code: 'not_found' } });
  uploads.taken([id]);
  expect(uploads.files(into, [id])).toMatchObject({ error: { code: 'not_found' } });
  expect(readdirSync(folder)).toEqual([whole?.localFile]);
});

test('An unused upload is deleted after an hour, or at once on cancel', async () => {
  const { clock, into, uploads } = rig();
  const left = must(await uploads.begin(into, { ...file, size: 0 }));
  const cancelled = must(await uploads.begin(into, file));
  must(await uploads.piece(cancelled, 0, Buffer.from('abc')));
  expect(readdirSync(folder)).toHaveLength(2);
  await uploads.cancel(cancelled);
  expect(readdirSync(folder)).toHaveLength(1);
  await clock.advance(3_600_000);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  expect(uploads.files(into, [left])).toMatchObject({ error: { code: 'not_found' } });
});

test('Uploads are limited to 8 MiB per file and 40 at once', async () => {
  const { into, uploads } = rig();
  expect(await uploads.begin(into, { ...file, size: 8 * 1024 * 1024 + 1 })).toMatchObject({
    error: { code: 'too_large' },
  });
  for (let n = 0; n < 40; n += 1) must(await uploads.begin(into, file));
  expect(await uploads.begin(into, file)).toMatchObject({ error: { code: 'rate_limited' } });
});

test('T22: A thousand concurrent uploads are limited to 40, and cancelled ones free their slots', async () => {
  const { into, uploads } = rig();
  const begun = await Promise.all(Array.from({ length: 1_000 }, () => uploads.begin(into, file)));
  expect(begun.filter(({ ok }) => ok)).toHaveLength(40);
  for (const one of begun) if (one.ok) await uploads.cancel(one.value);
  must(await uploads.begin(into, file));
});

test('Upload progress is reported in steps and restarts with the upload', () => {
  const progress = createUploadProgress();
  expect(progress.sent('m', 0)).toBe(null);
  expect(progress.heard('m', 0, 100)).toBe(true);
  expect(progress.heard('m', 0, 200)).toBe(false);
  expect(progress.heard('m', 0, 300_000)).toBe(true);
  expect(progress.sent('m', 0)).toBe(300_000);
  expect(progress.heard('m', 0, 50)).toBe(true);
  progress.forget('m');
  expect(progress.sent('m', 0)).toBe(null);
});
