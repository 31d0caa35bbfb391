import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BundleFault } from './bundle-fault.ts';
import { bufferSource } from './byte-source.ts';
import { checkNames, segmentsOf } from './entry-names.ts';
import { readDirectory } from './zip-directory.ts';
import { entryContent } from './zip-entry.ts';
import { zipLimits } from './zip-limits.ts';
import { zipPieces } from './zip-writer.ts';

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const bytesOf = (content: Uint8Array) =>
  async function* () {
    yield content;
  };

const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> =>
  gather(
    zipPieces(
      Object.entries(files).map(([name, content]) => ({
        name,
        changedAt: Date.UTC(2026, 10, 21),
        chunks: bytesOf(Buffer.from(content)),
      })),
    ),
  );

/** The same archive with all occurrences of `from` replaced. */
function forged(zip: Buffer, from: string, to: string): Buffer {
  expect(from).toHaveLength(to.length);
  const copy = Buffer.from(zip);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) copy.write(to, at, 'latin1');
  return copy;
}

const centralAt = (zip: Buffer): number => zip.readUInt32LE(zip.length - 22 + 16);

async function unpack(zip: Buffer, limits = zipLimits): Promise<Record<string, string>> {
  const source = bufferSource(zip);
  const found: Record<string, string> = {};
  for (const entry of readDirectory(source, limits)) {
    found[entry.name] = (await gather(entryContent(source, entry))).toString('latin1');
  }
  return found;
}

const refusal = (zip: Buffer, limits = zipLimits): Promise<string> =>
  unpack(zip, limits).then(
    () => 'accepted',
    (error: unknown) => {
      if (!(error instanceof BundleFault)) throw error;
      return error.message;
    },
  );

describe('Zip archives', () => {
  it('round-trip names and content', async () => {
    const content = fc.uint8Array({ maxLength: 5_000 });
    const name = fc.stringMatching(/^[a-zA-Z0-9äöü][a-zA-Z0-9äöü ._-]{0,20}$/).map((text) => `${text}x`);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, content, { maxKeys: 8 }), async (files) => {
        const folded = new Set(Object.keys(files).map((key) => key.toLowerCase().normalize('NFC')));
        fc.pre(folded.size === Object.keys(files).length);
        const found = await unpack(await zipOf(files));
        expect(found).toEqual(
          Object.fromEntries(
            Object.entries(files).map(([key, bytes]) => [key, Buffer.from(bytes).toString('latin1')]),
          ),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('can be unpacked by other programs', async () => {
    const zip = await zipOf({ 'a.txt': 'hello' });
    expect(inflateRawSync(zip.subarray(30 + 5)).toString()).toBe('hello');
  });
});

describe('Untrusted zip archive (T16)', () => {
  it('is refused if an entry’s path leads outside the target folder', async () => {
    const zip = await zipOf({ 'aaaaaaaa/b': 'x' });
    for (const name of [
      '../../../b',
      '/etc/passw',
      'a/../../bb',
      'aaaa\\..\\ab',
      './aaaaaa/b',
      'a//aaaaaab',
      'C:/aaaaaab',
      'aaaa\0aaa/b',
    ]) {
      expect(await refusal(forged(zip, 'aaaaaaaa/b', name)), name).toMatch(/leads elsewhere/);
    }
  });

  it('is refused if it holds a name twice, or one name as file and folder', async () => {
    const zip = await zipOf({ 'a/one': '1', 'a/two': '2' });
    expect(await refusal(forged(zip, 'a/two', 'a/one'))).toMatch(/same name twice/);
    const nested = await zipOf({ 'abc/d': '1', abx: '2' });
    expect(await refusal(forged(nested, 'abx', 'abc'))).toMatch(/file and folder/);
  });

  it('is refused if it holds links or devices', async () => {
    const zip = await zipOf({ 'agents/bot/link': '/etc/passwd' });
    for (const [mode, said] of [
      [0o120777, /a link/],
      [0o020666, /no file/],
      [0o060666, /no file/],
    ] as const) {
      const copy = Buffer.from(zip);
      copy.writeUInt32LE(mode * 0x10000, centralAt(copy) + 38);
      expect(await refusal(copy)).toMatch(said);
    }
  });

  it('is refused as a zip bomb before anything is unpacked', async () => {
    const zip = await zipOf({ zeros: new Uint8Array(8 * 1024 * 1024) });
    expect(await refusal(zip)).toMatch(/bomb/);
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}`, new Uint8Array(900_000)]));
    expect(await refusal(await zipOf(many))).toMatch(/bomb/);
  });

  it('is refused if it exceeds the limits for bytes or entries', async () => {
    const zip = await zipOf({ a: 'x'.repeat(50), b: 'y'.repeat(51), c: '' });
    expect(await refusal(zip, { ...zipLimits, totalBytes: 101 })).toBe('accepted');
    expect(await refusal(zip, { ...zipLimits, totalBytes: 100 })).toMatch(/holds more/);
    expect(await refusal(zip, { ...zipLimits, entries: 2 })).toMatch(/holds more/);
  });

  it('is refused if an entry exceeds its declared size or fails its checksum', async () => {
    const zip = await zipOf({ a: 'hello world' });
    const short = Buffer.from(zip);
    short.writeUInt32LE(3, centralAt(short) + 24);
    expect(await refusal(short)).toMatch(/damaged/);
    const other = Buffer.from(zip);
    other.writeUInt32LE(1, centralAt(other) + 16);
    expect(await refusal(other)).toMatch(/damaged/);
  });

  it('is refused if two entries share the same bytes', async () => {
    const zip = await zipOf({ a: 'hello', b: 'world' });
    const second = zip.indexOf('PK\x01\x02', centralAt(zip) + 1, 'latin1');
    zip.writeUInt32LE(0, second + 42);
    // Refused before reading, because many entries over the same bytes are a zip bomb too.
    expect(() => readDirectory(bufferSource(zip))).toThrow(/damaged/);
  });

  it('never fails worse than with a refusal, whatever bytes are changed', async () => {
    const zip = await zipOf({
      'agents/bot/agent.yml': 'id: bot\n',
      'agents/bot/profile.md': '# Bot\n'.repeat(50),
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(zip.length - 1), fc.nat(255), fc.nat(zip.length), async (at, byte, length) => {
        const copy = Buffer.from(zip.subarray(0, length));
        if (at < copy.length) copy[at] = byte;
        await refusal(copy);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('Archive entry names (T16)', () => {
  it('stay inside the folder for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const segments = segmentsOf(name);
        if (segments === null) return;
        expect(segments.join('/')).toBe(name);
        for (const segment of segments) {
          expect(['', '.', '..']).not.toContain(segment);
          expect(segment).not.toMatch(/[/\\\0]/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are refused if the current system would read them differently', () => {
    for (const name of ['con', 'nul.txt', 'ab:c', 'trailing.', 'what?']) {
      expect(segmentsOf(name, 'win32'), name).toBeNull();
      expect(segmentsOf(name, 'linux'), name).toEqual([name]);
    }
    expect(() => checkNames(['Readme', 'README'], 'darwin')).toThrow(/twice/);
    expect(() => checkNames(['Readme', 'README'], 'linux')).not.toThrow();
    expect(() => checkNames(['\u00e4', 'a\u0308'], 'linux')).toThrow(/twice/);
  });
});
