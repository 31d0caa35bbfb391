import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import { testCrypto } from '../../../test/fakes/test-crypto.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type AttachmentMeta, sealAttachment } from '../../core/puffo/attachment.ts';
import { attachmentsType } from '../../core/puffo/message-files.ts';
import { createConfinedFiles } from '../tools/confined/confined-files.ts';
import { createReceivedFiles } from './received-files.ts';

const crypto = testCrypto;
const id = 'msg_0b8f3c1e-2f0a-4d6b-9c1d-1a2b3c4d5e6f';
const never = new AbortController().signal;
const mib = 1024 * 1024;

let workspace = '';
let blobs: Map<string, Uint8Array>;
let asked: (readonly [blobId: string, patient: boolean])[];
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'kennel-inbox-'));
  blobs = new Map();
  asked = [];
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function seal(filename: string, content: Uint8Array, more: Partial<AttachmentMeta> = {}): AttachmentMeta {
  const sealed = sealAttachment(crypto, { filename, mimeType: 'text/plain' }, content);
  if (!sealed.ok) throw new Error(sealed.error.message);
  const { key, nonce, blob } = sealed.value;
  const blob_id = `blob_${blobs.size}`;
  blobs.set(blob_id, blob);
  return { blob_id, filename, mime_type: 'text/plain', key, nonce, size: content.length, ...more };
}

function make(download?: (blobId: string) => Promise<Result<Uint8Array>>) {
  const found = async (blobId: string): Promise<Result<Uint8Array>> => {
    const blob = blobs.get(blobId);
    return blob ? ok(blob) : err(textError('not_found', 'The server does not have that file.'));
  };
  const intake = createReceivedFiles({
    workspace: createConfinedFiles({ cwd: workspace, readable: [workspace], writable: [workspace] }),
    images: { shrink: async () => ok(Buffer.from('smaller')) },
    crypto,
    clock: createVirtualClock(),
    download(blobId, patient) {
      asked.push([blobId, patient]);
      return (download ?? found)(blobId);
    },
  });
  return (attachments: readonly unknown[], envelopeId = id, signal = never) =>
    intake.fetch(
      { ...sampleDm(), envelopeId, contentType: attachmentsType, content: { text: '', attachments } },
      signal,
    );
}

const inbox = (): string => join(workspace, '.puffo/inbox', id);
const text = (content: string): Buffer => Buffer.from(content);

describe('Received files', () => {
  it('are stored in the inbox under unique names, private to the owner', async () => {
    const metas = [seal('a.txt', text('one')), seal('A.TXT', text('two')), seal('../../../x', text('three'))];
    expect(await make()(metas)).toEqual(
      ['a.txt', 'A (2).TXT', 'x'].map((name) => ({
        path: `.puffo/inbox/${id}/${name}`,
        failure: null,
        image: null,
      })),
    );
    expect(readFileSync(join(inbox(), 'A (2).TXT'), 'utf8')).toBe('two');
    expect(statSync(join(inbox(), 'a.txt')).mode & 0o777).toBe(0o600);
    expect(statSync(join(workspace, '.puffo')).mode & 0o777).toBe(0o700);
  });

  it('are verified: changed, missing or unreadable ones are reported, the others are stored (T15)', async () => {
    const bad = seal('bad.txt', text('bad'));
    blobs.set(
      bad.blob_id,
      (blobs.get(bad.blob_id) ?? new Uint8Array(1)).map((byte) => byte ^ 1),
    );
    const files = await make()([
      bad,
      seal('hash.txt', text('other'), { sha256: 'AAAA' }),
      { ...seal('gone.txt', text('x')), blob_id: 'nowhere' },
      { ...seal('gone too.txt', text('x')), blob_id: 'nowhere either' },
      { filename: 'nothing.txt' },
      'no metadata',
      seal('good.txt', text('good')),
    ]);
    expect(files.map(({ failure }) => failure)).toEqual([
      expect.stringContaining('changed on its way'),
      expect.stringContaining('not the one its sender described'),
      'The server does not have that file.',
      'The server does not have that file.',
      expect.stringContaining('no key to decrypt it with'),
      expect.stringContaining('no key to decrypt it with'),
      null,
    ]);
    expect(readdirSync(inbox())).toEqual(['good.txt']);
    // Waits for a missing file once, not for each of them.
    expect(asked.map(([, patient]) => patient)).toEqual([true, true, true, false, false]);
  });

  it('have limits: ten, 8 MiB each, 32 MiB together, 64 million pixels', async () => {
    const many = await make()(Array.from({ length: 12 }, (_, n) => seal(`${n}`, text('x'))));
    expect(many).toHaveLength(11);
    expect(many.at(-1)).toMatchObject({ path: '2 more', failure: 'Only 10 files are taken.' });
    const large = new Uint8Array(8 * mib);
    const five = [1, 2, 3, 4, 5].map((n) => seal(`large${n}`, large));
    const lied = { ...seal('lied', new Uint8Array(8 * mib + 1)), size: 1 };
    const huge = { ...seal('named', text('x')), size: 9 * mib };
    const files = await make()([lied, huge, ...five]);
    expect(files.map(({ failure }) => failure?.slice(0, 24) ?? null)).toEqual([
      'It is larger than 8 MiB.',
      'It is larger than 8 MiB.',
      null,
      null,
      null,
      null,
      'The files of the message',
    ]);
    const head = Buffer.alloc(40);
    Buffer.from('89504e470d0a1a0a', 'hex').copy(head);
    head.writeUInt32BE(8_001, 16);
    head.writeUInt32BE(8_000, 20);
    const [bomb] = await make()([seal('bomb.png', head)], id.replace('0b8f', '0b80'));
    expect(bomb?.failure).toBe('The picture has more than 64 million pixels.');
  });

  it('are scaled down and shown if they are images', async () => {
    const head = Buffer.alloc(40);
    Buffer.from('89504e470d0a1a0a', 'hex').copy(head);
    head.writeUInt32BE(2_000, 16);
    head.writeUInt32BE(10, 20);
    const fits = Buffer.from(head);
    fits.writeUInt32BE(1_568, 16);
    const files = await make()([seal('large.png', head), seal('fits.png', fits)]);
    expect(readFileSync(join(inbox(), 'large.png'), 'utf8')).toBe('smaller');
    expect(files.map(({ image }) => image?.mimeType ?? null)).toEqual([null, 'image/png']);
  });

  it('are not fetched twice, and have the same result after a crash (F1)', async () => {
    const metas = [seal('a.txt', text('one')), seal('b.txt', text('two'))];
    const before = await make()(metas);
    rmSync(join(inbox(), 'b.txt'));
    asked = [];
    expect(await make()(metas)).toEqual(before);
    expect(asked.map(([blobId]) => blobId)).toEqual([metas[1]?.blob_id]);
  });

  it('stop loading once the turn has ended', async () => {
    const ending = new AbortController();
    const fetching = make(() => new Promise(() => undefined))([seal('a', text('x'))], id, ending.signal);
    ending.abort();
    expect(await fetching).toMatchObject([{ failure: 'It took too long.' }]);
  });

  it('are never stored outside the workspace through an existing link (T14)', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'kennel-outside-'));
    mkdirSync(join(workspace, '.puffo'));
    symlinkSync(outside, join(workspace, '.puffo/inbox'));
    const [file] = await make()([seal('a.txt', text('x'))]);
    expect(file?.failure).not.toBe(null);
    expect(readdirSync(outside)).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  it('stay in their inbox for any file name and message id (T15)', async () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc.constantFrom('..', '../x', '/etc/x', 'CON', 'a/../../b', '\u202Etxt.exe', '.', 'x\0y'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(nasty, { minLength: 1, maxLength: 4 }), nasty, async (names, envelopeId) => {
        const files = await make()(
          names.map((name) => seal(name, text('x'))),
          envelopeId,
        );
        expect(files.map(({ failure }) => failure)).toEqual(names.map(() => null));
        for (const { path } of files) expect(path).toMatch(/^\.puffo\/inbox\/msg_[0-9a-f]{32}\/[^/\\]+$/);
        expect(new Set(files.map(({ path }) => path.toLowerCase())).size).toBe(names.length);
        expect(readdirSync(workspace)).toEqual(['.puffo']);
      }),
      { numRuns: 60 },
    );
  });
});
