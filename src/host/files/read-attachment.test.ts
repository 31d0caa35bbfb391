import { expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { sealAttachment } from '../../core/puffo/attachment.ts';
import { attachmentsType } from '../../core/puffo/message-files.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import { createAttachmentReader } from './read-attachment.ts';

const crypto = createNobleEngine();
const name = { filename: 'a.txt', mimeType: 'text/plain' };

function rig(messages: number) {
  const store = createMemoryAccountStore('ada-1');
  const sealed = sealAttachment(crypto, name, Buffer.from('hello'));
  if (!sealed.ok) throw new Error(sealed.error.message);
  const { key, nonce, blob } = sealed.value;
  const content = {
    text: '',
    attachments: [{ filename: 'a.txt', mime_type: 'text/plain', key, nonce, blob_id: 'b' }],
  };
  const ids = Array.from({ length: messages }, (_, n) => `msg_${n}`);
  const decision = { react: false, reason: 'own', priority: 3 } as const;
  store.accept(
    ids.map((envelopeId) => ({
      message: { ...sampleDm(), envelopeId, contentType: attachmentsType, content },
      decision,
    })),
  );
  const fetching = { now: 0, most: 0, fails: 0 };
  const read = createAttachmentReader({
    store,
    crypto,
    clock: createVirtualClock(),
    account: {
      downloadBlob: async () => {
        fetching.now += 1;
        fetching.most = Math.max(fetching.most, fetching.now);
        await new Promise((resolve) => setImmediate(resolve));
        fetching.now -= 1;
        fetching.fails -= 1;
        return fetching.fails >= 0 ? err(textError('not_found', 'gone')) : ok(blob);
      },
    },
    outgoing: { read: async () => err(textError('not_found', 'none')) } as never,
    cache: { get: async () => null, put: async () => undefined, drop: async () => undefined },
  });
  return { read, ids, fetching };
}

it('T22: A page that requests 300 files loads at most six at once and receives all readable ones', async () => {
  const { read, ids, fetching } = rig(300);
  fetching.fails = 10;
  const files = await Promise.all(ids.map((id) => read(id, 0)));
  expect(fetching.most).toBe(6);
  expect(files.filter((file) => file.ok)).toHaveLength(290);
  expect(files.at(-1)).toMatchObject({
    ok: true,
    value: { ...name, bytes: new TextEncoder().encode('hello') },
  });
});
