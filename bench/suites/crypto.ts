/**
 * Cost of sealing above its lower bound, and compared with other implementations (performance goals P1, P2).
 */
import { spawnSync } from 'node:child_process';
import { Chacha20Poly1305 } from '@hpke/chacha20poly1305';
import { CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';
import { utf8 } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { messageHpkeInfo } from '../../src/core/puffo/aad.ts';
import { pieceBytes, sealAttachment, startAttachment } from '../../src/core/puffo/attachment.ts';
import { hpkeSeal } from '../../src/core/puffo/hpke.ts';
import { selectCryptoEngine } from '../../src/services/crypto/select-engine.ts';
import { type BenchRow, median, report } from '../lib/measure.ts';

const rounds = 15;

/** CPU time per call in µs, so that other load on the machine counts less. */
async function cpuMicros(times: number, run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

/** Same as `cpuMicros` without a promise between the calls. */
function cpuMicrosSync(times: number, run: () => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i += 1) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function hpkeRows(engine: CryptoEngine): Promise<BenchRow[]> {
  const recipient = engine.x25519KeyPair();
  const key = engine.randomBytes(32);
  const aad = utf8('puffo/message-envelope-wrap/v1msg_00000000-0000-4000-8000-000000000000dev_x');
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Chacha20Poly1305(),
  });
  const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
  const recipientPublicKey = await suite.kem.importKey('raw', buffer(recipient.public), true);
  const context = { recipientPublicKey, info: buffer(messageHpkeInfo) };
  const theirs = () => suite.seal(context, buffer(key), buffer(aad));
  const ours = () => hpkeSeal(engine, recipient.public, messageHpkeInfo, aad, key);
  const floor = () => engine.x25519(engine.x25519KeyPair().secret, recipient.public);

  const micros = { ours: [] as number[], floor: [] as number[], theirs: [] as number[] };
  const overFloor: number[] = [];
  const overOthers: number[] = [];
  cpuMicrosSync(2_000, ours);
  cpuMicrosSync(2_000, floor);
  for (let round = 0; round < rounds; round += 1) {
    const [f, o, t] = [cpuMicrosSync(1_000, floor), cpuMicrosSync(1_000, ours), await cpuMicros(50, theirs)];
    micros.floor.push(f);
    micros.ours.push(o);
    micros.theirs.push(t);
    overFloor.push(f / o);
    overOthers.push(t / o);
  }
  const figures = {
    sealMicros: median(micros.ours),
    floorMicros: median(micros.floor),
    hpkeCoreMicros: median(micros.theirs),
    sealsPerCpuSecond: Math.round(1e6 / median(micros.ours)),
  };
  return [
    {
      name: 'HPKE seal per recipient / floor (key generation + X25519)',
      ratio: median(overFloor),
      goal: 0.75,
      better: 'higher',
      figures,
      note: engine.name,
    },
    {
      name: 'HPKE seal per recipient / @hpke/core',
      ratio: median(overOthers),
      goal: 25,
      better: 'higher',
      figures,
    },
  ];
}

/** Bytes per CPU second of OpenSSL's own tool with blocks of 64 KiB; `null` if it is not installed. */
function opensslSpeed(): number | null {
  const args = 'speed -seconds 2 -bytes 65536 -evp chacha20-poly1305'.split(' ');
  const run = spawnSync('openssl', args, { encoding: 'utf8' });
  const thousands = /^ChaCha20-Poly1305\s+([\d.]+)k/im.exec(run.stdout ?? '')?.[1];
  return thousands === undefined ? null : Number(thousands) * 1_000;
}

const attachmentBytes = 64 * 1024 * 1024;
const attachmentName = { filename: 'film.mp4', mimeType: 'video/mp4' };

/** Like sending a file from disk: chunk by chunk, without keeping the result. */
function sealInPieces(engine: CryptoEngine, file: Uint8Array): void {
  const sealer = startAttachment(engine, attachmentName);
  if (!sealer.ok) throw new Error(sealer.error.message);
  let sealed = 0;
  for (let at = 0; at < file.length; at += pieceBytes) {
    sealed += sealer.value.stream.update(file.subarray(at, at + pieceBytes)).length;
  }
  sealed += sealer.value.stream.finish().length;
  if (sealed !== file.length + 16) throw new Error('a piece was lost');
}

function attachmentRow(engine: CryptoEngine): BenchRow | null {
  const file = new Uint8Array(attachmentBytes).fill(7);
  const rate = (run: () => unknown): number => {
    globalThis.gc?.();
    return attachmentBytes / (cpuMicrosSync(1, run) / 1e6);
  };
  const ratios: number[] = [];
  const rates = { pieces: [] as number[], whole: [] as number[], openssl: [] as number[] };
  for (let round = 0; round < 4; round += 1) {
    const openssl = opensslSpeed();
    if (openssl === null) return null;
    rates.openssl.push(openssl);
    for (let i = 0; i < 3; i += 1) {
      const pieces = rate(() => sealInPieces(engine, file));
      rates.pieces.push(pieces);
      ratios.push(pieces / openssl);
      rates.whole.push(rate(() => sealAttachment(engine, attachmentName, file)));
    }
  }
  return {
    name: 'attachment of 64 MiB / openssl speed',
    ratio: median(ratios),
    goal: 0.3,
    better: 'higher',
    figures: {
      gigabytesPerSecond: median(rates.pieces) / 1e9,
      opensslGigabytesPerSecond: median(rates.openssl) / 1e9,
      intoOneNewBufferGigabytesPerSecond: median(rates.whole) / 1e9,
    },
    note: `${engine.name}, in pieces of 64 KiB`,
  };
}

const selected = await selectCryptoEngine();
if (!selected.ok) throw new Error(selected.error.message);
const { engine } = selected.value;
const attachment = attachmentRow(engine);
report([...(await hpkeRows(engine)), ...(attachment ? [attachment] : [])]);
