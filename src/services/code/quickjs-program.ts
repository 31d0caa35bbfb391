/** The WebAssembly program of QuickJS. The build replaces this file with one that contains the program compressed. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

export const readProgram = (): Promise<Uint8Array> =>
  readFile(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'));
