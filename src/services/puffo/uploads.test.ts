import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRig, must, type Rig, type TestAccount, until } from '../../../test/fakes/puffo-rig.ts';
import { openAttachment } from '../../core/puffo/attachment.ts';
import { newEnvelopeId } from '../../core/puffo/ids.ts';
import {
  attachmentsOf,
  contentWithFiles,
  type LocalFile,
  withBlobId,
} from '../../core/puffo/message-files.ts';
import { englishText } from '../../language/host-message.ts';
import { createSystemRandom } from '../clock/system-random.ts';
import { createOutgoingFiles, type OutgoingStore } from '../files/outgoing-files.ts';

const random = createSystemRandom();
const bytes = (length: number): Uint8Array => new Uint8Array(length).map((_, at) => (at * 7) % 251);

describe('Message with files', () => {
  let rig: Rig;
  let folder: string;
  let files: OutgoingStore;
  let alice: TestAccount;
  let bob: TestAccount;
  beforeEach(async () => {
    rig = await createRig();
    folder = mkdtempSync(join(tmpdir(), 'kennel-uploads-'));
    files = createOutgoingFiles({ folder, crypto: rig.crypto, random });
    alice = rig.open(await rig.person('alice'), { files });
    bob = rig.open(await rig.person('bob'));
    await Promise.all([alice.online(), bob.online()]);
  });
  afterEach(async () => {
    await rig.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function put(filename: string, plain: Uint8Array): Promise<LocalFile> {
    const sealing = must(await files.begin({ filename, mimeType: 'application/octet-stream' }));
    must(await sealing.put(plain));
    return must(await sealing.finish());
  }

  function say(locals: readonly LocalFile[], text = 'look'): string {
    const envelopeId = newEnvelopeId(random);
    alice.store.enqueue(
      {
        envelopeId,
        kind: 'dm',
        spaceId: null,
        channelId: null,
        recipientSlug: bob.account.slug,
        threadRootId: null,
        visible: true,
        createdAt: rig.clock.now(),
        ...contentWithFiles(text, locals),
      },
      alice.account.slug,
    );
    alice.account.kickOutbox();
    return envelopeId;
  }

  const heard = (id: string) =>
    until('the message', () => bob.accepted.find(({ envelopeId }) => envelopeId === id));

  it('arrives with every file, without local file names, and leaves no local copies', async () => {
    const plain = [bytes(0), bytes(70_000), bytes(300_000)];
    const id = say([
      await put('a', plain[0] ?? bytes(1)),
      await put('b', plain[1] ?? bytes(1)),
      await put('c', plain[2] ?? bytes(1)),
    ]);
    const message = await heard(id);
    expect(JSON.stringify(message.content)).not.toContain('local_file');
    const metas = attachmentsOf(message);
    expect(metas.map((meta) => meta?.filename)).toEqual(['a', 'b', 'c']);
    expect(new Set(metas.flatMap((meta) => [meta?.content_key, meta?.key])).size).toBe(3);
    for (const [at, meta] of metas.entries()) {
      if (!meta) throw new Error('no metadata');
      const blob = must(await bob.account.downloadBlob(meta.blob_id));
      const opened = must(openAttachment(rig.crypto, meta, blob));
      expect(Buffer.from(opened).equals(Buffer.from(plain[at] ?? []))).toBe(true);
    }
    await expect.poll(() => readdirSync(folder)).toEqual([]);
    const last = alice.uploads.filter(([of, index]) => of === id && index === 2).at(-1);
    expect(last?.[2]).toBe(300_016);
  });

  it('waits while the relay is down and is sent before a later message to the same room', async () => {
    await rig.stopRelay();
    const local = await put('a', bytes(1_000));
    const withFile = say([local]);
    const after = alice.say({ dm: bob.account.slug }, 'after it');
    await rig.startRelay();
    await heard(after);
    expect(bob.accepted.map(({ envelopeId }) => envelopeId)).toEqual([withFile, after]);
  });

  it('does not upload a file again after a crash between upload and send (F1)', async () => {
    const read: string[] = [];
    await alice.account.stop();
    const locals = [await put('a', bytes(10)), await put('b', bytes(20))] as const;
    const id = say(locals);
    // Simulates a process that ended after the first upload.
    const { blobId } = must(await bob.account.uploadBlob(must(await files.read(locals[0].localFile))));
    const row = alice.store.outbox(id);
    if (row) alice.store.outboxFiles.setContent(id, withBlobId(row, 0, blobId));
    const counting: OutgoingStore = {
      ...files,
      read(file) {
        read.push(file);
        return files.read(file);
      },
    };
    rig.open(alice.identity, { store: alice.store, session: alice.session, files: counting });
    const message = await heard(id);
    expect(read).toEqual([locals[1].localFile]);
    expect(attachmentsOf(message)[0]?.blob_id).toBe(blobId);
    expect(bob.accepted.filter(({ envelopeId }) => envelopeId === id)).toHaveLength(1);
  });

  it('fails with a reason if a local file is missing, and can be retried', async () => {
    const local = await put('a', bytes(10));
    const kept = must(await files.read(local.localFile));
    rmSync(join(folder, local.localFile));
    const id = say([local]);
    await until('it failed', () => alice.settled.find((one) => one.id === id && one.state === 'failed'));
    expect(englishText(alice.store.outbox(id)?.error ?? '')).toContain('no longer stored here');
    writeFileSync(join(folder, local.localFile), kept);
    expect(alice.store.outboxFiles.retry(id)).toBe(true);
    alice.account.kickOutbox();
    await heard(id);
    expect(alice.store.outboxFiles.retry(id)).toBe(false);
  });
});
