/**
 * Scales down images in a worker thread that ends afterwards with all its memory. It promises a result or an
 * error at its deadline, and one image at a time for the whole host, so that only one is in memory decoded.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import { fail } from '../../contract/fail.ts';
import type { ImageFacts } from '../../contract/image-facts.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';

export interface ImageShrinker {
  /** The image upright, with its longer edge at `longest` pixels, of the same type. */
  shrink(bytes: Uint8Array, facts: ImageFacts, longest: number): Promise<Result<Uint8Array>>;
}

const deadlineMs = 30_000;
/**
 * Peak memory per pixel, measured with the most demanding type: an image of a few hundred KiB may take a GB
 * (T24).
 */
const bytesPerPixel = 16;
const noMemory = fail('unavailable', 'chat.notEnoughMemory');
const failed = fail('unsupported', 'chat.pictureUnreadable');

// Plain JavaScript in a string, because the bundle has no second file for the thread.
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { bytes, mimeType, orientation, width, height, script, program } = workerData;
const library = { exports: {} };
const requireFor = (name) => (name === 'fs' ? { readFileSync: () => program } : require(name));
new Function('module', 'require', '__dirname', script)(library, requireFor, '');
const photon = library.exports;
const upright = (image) => {
  if (orientation === 1) return image;
  const [w, h] = [image.get_width(), image.get_height()];
  const from = new Uint32Array(image.get_raw_pixels().buffer);
  const turned = orientation > 4;
  const [tw, th] = turned ? [h, w] : [w, h];
  const to = new Uint32Array(w * h);
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1) {
      const mirrored = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8;
      const flipped = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7;
      const a = mirrored ? w - 1 - x : x;
      const b = flipped ? h - 1 - y : y;
      to[turned ? a * tw + b : b * tw + a] = from[y * w + x];
    }
  return new photon.PhotonImage(new Uint8Array(to.buffer), tw, th);
};
const whole = photon.PhotonImage.new_from_byteslice(bytes);
const small = upright(photon.resize(whole, width, height, photon.SamplingFilter.Lanczos3));
const out =
  mimeType === 'image/jpeg' ? small.get_bytes_jpeg(85) : mimeType === 'image/webp' ? small.get_bytes_webp() : small.get_bytes();
parentPort.postMessage(out);
`;

const decompress = promisify(brotliDecompress);

/**
 * The library's script and WebAssembly program, as bytes, because a worker thread cannot read the archive of
 * the packaged app. That archive contains both compressed.
 */
async function readLibrary(): Promise<{ script: string; program: Uint8Array }> {
  const manifest = createRequire(import.meta.url).resolve('@silvia-odwyer/photon-node/package.json');
  const read = async (name: string): Promise<Buffer> => {
    const file = path.join(path.dirname(manifest), name);
    const compressed = await readFile(`${file}.br`).catch(() => null);
    return compressed ? decompress(compressed) : readFile(file);
  };
  return { script: (await read('photon_rs.js')).toString(), program: await read('photon_rs_bg.wasm') };
}

function sizeFor({ width, height }: ImageFacts, longest: number): { width: number; height: number } {
  const scale = longest / Math.max(width, height);
  const scaled = (edge: number): number => Math.max(1, Math.round(edge * scale));
  return { width: scaled(width), height: scaled(height) };
}

function inThread(clock: Clock, workerData: object): Promise<Result<Uint8Array>> {
  return new Promise((resolve) => {
    const limits = { maxOldGenerationSizeMb: 128 };
    const worker = new Worker(threadSource, {
      eval: true,
      workerData,
      resourceLimits: limits,
      env: {},
      stderr: true,
      stdout: true,
    });
    const settle = (result: Result<Uint8Array>): void => {
      timer.cancel();
      void worker.terminate();
      resolve(result);
    };
    const timer = clock.after(deadlineMs, () => settle(err(failed)), { unref: true });
    worker.once('message', (bytes: Uint8Array) => settle(ok(bytes)));
    worker.once('error', () => settle(err(failed)));
    worker.once('exit', () => settle(err(failed)));
  });
}

/** `available` returns the free bytes of the system; at most half of them are used. */
export function createImageShrinker(
  clock: Clock,
  available: () => number = () => process.availableMemory(),
): ImageShrinker {
  let last: Promise<unknown> = Promise.resolve();
  return {
    shrink(bytes, facts, longest) {
      const { mimeType, orientation } = facts;
      if (mimeType === 'image/gif') return Promise.resolve(err(failed));
      const next = last.then(async () => {
        if (facts.width * facts.height * bytesPerPixel > available() / 2) return err(noMemory);
        try {
          const library = await readLibrary();
          return await inThread(clock, {
            bytes,
            mimeType,
            orientation,
            ...library,
            ...sizeFor(facts, longest),
          });
        } catch {
          return err(failed);
        }
      });
      last = next;
      return next;
    },
  };
}
