// Saves ten files of 8 MiB out of an account, then brings as many into a workspace as a message may carry,
// and prints how many bytes the peak of memory grew after the first of each. Needs `--expose-gc`: uncollected
// garbage is no leak.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '../../src/contract/result.ts';
import { attachmentsType, contentWithFiles, withBlobId } from '../../src/core/puffo/message-files.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createSystemRandom } from '../../src/services/clock/system-random.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { createOutgoingFiles } from '../../src/services/files/outgoing-files.ts';
import { createReceivedFiles } from '../../src/services/files/received-files.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import { sampleDm } from '../fakes/message-samples.ts';
import { must } from '../fakes/puffo-rig.ts';

const size = 8 * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'kennel-memory-'));
const { engine: crypto } = must(await selectCryptoEngine());
const outgoing = createOutgoingFiles({ folder: join(folder, 'out'), crypto, random: createSystemRandom() });
const cwd = join(folder, 'workspace');
mkdirSync(cwd);
const never = new AbortController().signal;
const names: string[] = [];
const intake = createReceivedFiles({
  workspace: createConfinedFiles({ cwd, readable: [cwd], writable: [cwd] }),
  images: { shrink: async (bytes) => ok(bytes) },
  crypto,
  clock: createSystemClock(),
  download: async (blobId) => {
    globalThis.gc?.();
    return outgoing.read(blobId.slice('blob '.length));
  },
});

async function seal(filename: string) {
  globalThis.gc?.();
  const sealing = must(await outgoing.begin({ filename, mimeType: 'text/plain' }));
  for (let at = 0; at < size; at += 384 * 1024) {
    must(await sealing.put(Buffer.alloc(Math.min(384 * 1024, size - at), at)));
  }
  return must(await sealing.finish());
}

async function receive(count: number): Promise<void> {
  const files = [];
  for (let n = 0; n < count; n += 1) files.push(await seal(`${names.push('x')}.txt`));
  const contentType = attachmentsType;
  let { content } = contentWithFiles('', files);
  for (const [at, { localFile }] of files.entries())
    content = withBlobId({ contentType, content }, at, `blob ${localFile}`);
  const envelopeId = `msg_${names.length}`;
  const got = await intake.fetch({ ...sampleDm(), envelopeId, contentType, content }, never);
  for (const { failure } of got.slice(0, 4)) if (failure !== null) throw new Error(failure);
}

const peak = (): number => process.resourceUsage().maxRSS * 1024;
try {
  await receive(1);
  const before = peak();
  await receive(10);
  process.stdout.write(`${JSON.stringify({ size, grown: peak() - before })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
