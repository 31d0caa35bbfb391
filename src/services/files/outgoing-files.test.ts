import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eachTestInFolder } from '../../../test/fakes/each-test-in-folder.ts';
import { testCrypto } from '../../../test/fakes/test-crypto.ts';
import type { Result } from '../../contract/result.ts';
import { attachmentMetaSchema, openAttachment } from '../../core/puffo/attachment.ts';
import { attachmentsOf, contentWithFiles, withBlobId } from '../../core/puffo/message-files.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { createOutgoingFiles } from './outgoing-files.ts';

const crypto = testCrypto;
const random = createSystemRandom();
const name = { filename: 'plan.pdf', mimeType: 'application/pdf' };
let home = '';
eachTestInFolder('kennel-outgoing-', (made) => {
  home = made;
});

const make = () => createOutgoingFiles({ folder: join(home, 'outgoing'), crypto, random });
function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

test('An outgoing file is stored encrypted in pieces and can be opened with its message’s metadata', async () => {
  const files = make();
  const plain = new Uint8Array(200_001).map((_, at) => at % 251);
  const sealing = must(await files.begin(name));
  for (let at = 0; at < plain.length; at += 70_000) must(await sealing.put(plain.subarray(at, at + 70_000)));
  const local = must(await sealing.finish());
  expect(local).toMatchObject({ ...name, size: plain.length });
  const path = join(home, 'outgoing', local.localFile);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path).includes(Buffer.from(plain.subarray(0, 32)))).toBe(false);
  const content = withBlobId(contentWithFiles('look', [local]), 0, 'blob_1');
  const { contentType } = contentWithFiles('', []);
  const [meta] = attachmentsOf({ contentType, content });
  if (!meta) throw new Error('no metadata');
  const blob = must(await files.read(local.localFile));
  expect(Buffer.from(must(openAttachment(crypto, meta, blob)))).toEqual(Buffer.from(plain));
  const { key: _, nonce: __, mime_type: ___, ...web } = meta;
  const again = openAttachment(crypto, attachmentMetaSchema.parse(web), blob);
  expect(Buffer.from(must(again))).toEqual(Buffer.from(plain));
});

test('An empty outgoing file is accepted; one that is too large is refused', async () => {
  const files = make();
  const empty = must(await must(await files.begin(name)).finish());
  expect(must(await files.read(empty.localFile))).toHaveLength(16);
  const big = must(await files.begin(name));
  must(await big.put(new Uint8Array(8 * 1024 * 1024)));
  expect(await big.put(new Uint8Array(1))).toMatchObject({ error: { code: 'too_large' } });
  await big.discard();
  expect(readdirSync(join(home, 'outgoing'))).toEqual([empty.localFile]);
});

test('The sweep deletes files left by a crash and keeps those a message still needs', async () => {
  const files = make();
  let asked = 0;
  await files.sweep(() => {
    asked += 1;
    return new Set();
  });
  expect(asked).toBe(0);
  const wanted = must(await must(await files.begin(name)).finish());
  must(await must(await files.begin(name)).finish());
  must(await must(await files.begin(name)).put(new Uint8Array(5)));
  writeFileSync(join(home, 'outgoing', 'stray'), '');
  await make().sweep(() => new Set([wanted.localFile]));
  expect(readdirSync(join(home, 'outgoing'))).toEqual([wanted.localFile]);
  files.remove([wanted.localFile, 'gone']);
  await expect.poll(() => readdirSync(join(home, 'outgoing'))).toEqual([]);
  expect(await files.read(wanted.localFile)).toMatchObject({ error: { code: 'not_found' } });
});
