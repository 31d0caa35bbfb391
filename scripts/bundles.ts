/** Bundles, their contents and target runtimes: one vite configuration per bundle of the product. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { plainBuiltins } from './lib/plain-builtins.ts';
import { startSplitting } from './lib/start-chunks.ts';

export type BundleName = 'cli' | 'main' | 'library' | 'preload' | 'renderer';

/**
 * `product`: Node >= 22.14 and the Electron of package.json. `e2e`: the same code for the older Electron that
 * tests may have to use (Node 20.18, Node-API 9), where the SQLite binding cannot load and libsql replaces
 * it.
 */
export type BuildFlavour = 'product' | 'e2e';

const root = path.resolve(import.meta.dirname, '..');
const sqliteBinding = 'better-sqlite3-multiple-ciphers';

/**
 * Native packages, loaded from node_modules at run time. `bufferutil` and `utf-8-validate` are optional parts
 * of ws. The packages of SQLite and libsodium are bundled except for their native modules: the dozen small
 * files of the former take a fifth of a command's load time.
 */
const natives = ['libsql', '@napi-rs/keyring', 'bufferutil', 'utf-8-validate'];

const relayThread = { 'relay-thread': 'src/host/relay/relay-thread.ts' };

const entries: Record<Exclude<BundleName, 'renderer'>, Record<string, string>> = {
  cli: {
    kennel: 'src/cli/kennel.ts',
    main: 'src/cli/main.ts',
    puppy: 'src/cli/puppy.ts',
    'code-thread': 'src/services/code/code-thread.ts',
  },
  // The packaged app contains its command line here, on the same chunks, instead of the bundle for Node.
  main: {
    index: 'src/main/index.ts',
    cli: 'src/cli/main.ts',
    ...relayThread,
    'code-thread': 'src/services/code/code-thread.ts',
  },
  library: {
    index: 'src/library/create-agent.ts',
    puppy: 'src/library/puppy.ts',
    ptc: 'src/library/ptc.ts',
    'code-thread': 'src/services/code/code-thread.ts',
  },
  preload: { index: 'src/preload/index.ts' },
};

/** V8 stores a Latin-1 text with one byte per character; a single dash or arrow in a file doubles that. */
const narrowText = {
  name: 'kennel:narrow-text',
  generateBundle(_options: unknown, bundle: Record<string, { code?: string }>) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.code === undefined) continue;
      chunk.code = chunk.code.replace(
        /[\u0100-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The package searches for its native module with a dozen other packages, although the path is known. */
const sodiumModule = {
  name: 'kennel:sodium-module',
  load: (id: string): string | null =>
    id.replaceAll('\\', '/').endsWith('/node_modules/sodium-native/binding.js')
      ? "module.exports = require('sodium-native/prebuilds/' + process.platform + '-' + process.arch + '/sodium-native.node');"
      : null,
};

/** 1 s for the smallest result. */
const compress = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });

/** A third of the size of the program's text form; unpacked in 5 ms when the first code runs. */
const quickJsProgram = {
  name: 'kennel:quickjs-program',
  load(id: string): string | null {
    if (!id.replaceAll('\\', '/').endsWith('/src/services/code/quickjs-program.ts')) return null;
    const program = readFileSync(
      createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'),
    );
    return `import { brotliDecompressSync } from 'node:zlib';
export const readProgram = async () =>
  brotliDecompressSync(Buffer.from('${compress(program).toString('base64')}', 'base64'));`;
  },
};

/**
 * Both packages of MCP contain Ajv, which generates code, as their default validator. Kennel passes its own to the
 * client, and its server validates nothing by it.
 */
const noAjv = {
  name: 'kennel:no-ajv',
  load: (id: string): string | null =>
    /\/@modelcontextprotocol\/(client|server)\/dist\/ajvProvider-[^/]+$/.test(id.replaceAll('\\', '/'))
      ? "export class n { getValidator() { throw new Error('Pass a validator of JSON Schema'); } }"
      : null,
};

type NodeBundleName = 'cli' | 'main' | 'library';

function nodeBundle(name: NodeBundleName, flavour: BuildFlavour, outDir: string): InlineConfig {
  const standIn = flavour === 'e2e' ? { paths: { [sqliteBinding]: 'libsql' } } : {};
  const external = [...natives, 'electron', ...(flavour === 'e2e' ? [sqliteBinding] : [])];
  return {
    configFile: false,
    root,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      sodiumModule,
      quickJsProgram,
      noAjv,
      plainBuiltins(['kennel', 'newer-node']),
      ...(name === 'library' ? [] : [narrowText]),
    ],
    // The browser build of yaml is the same code in ESM, which is merged into one module; its Node build
    // would keep one function per module.
    resolve: { alias: { yaml: path.join(root, 'node_modules/yaml/browser/index.js') } },
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      target: flavour === 'e2e' ? 'node20.18' : 'node22.14',
      outDir,
      emptyOutDir: true,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        // Such an import delays execution; it is not meant to split chunks.
        checks: { ineffectiveDynamicImport: false },
        input: entries[name],
        external,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // Developers step through the library; the product's own bundles are minified, because they are
          // smaller and start sooner.
          ...(name === 'library'
            ? {}
            : { minify: { compress: true, mangle: { keepNames: true }, codegen: true } }),
          ...(name === 'cli' ? { codeSplitting: startSplitting() } : {}),
          ...standIn,
        },
      },
    },
  };
}

/** A sandboxed preload has no ESM: one CommonJS file. */
function preloadBundle(outDir: string): InlineConfig {
  return {
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['electron'] },
    build: {
      ssr: true,
      target: 'node20.18',
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: entries.preload,
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
      },
    },
  };
}

/** Uses the renderer's own configuration; only the output folder is set here. */
function rendererBundle(outDir: string): InlineConfig {
  return {
    configFile: path.join(root, 'src/renderer/vite.config.ts'),
    root: path.join(root, 'src/renderer'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, reportCompressedSize: false },
  };
}

/**
 * The relay's thread of the command line, on chunks of its own: those of a start contain the host, so that the thread
 * would load three times as much.
 */
function relayThreadBundle(flavour: BuildFlavour, outDir: string): InlineConfig {
  const { build, ...rest } = nodeBundle('main', flavour, outDir);
  const rolldownOptions = { ...build?.rolldownOptions, input: relayThread };
  return { ...rest, build: { ...build, emptyOutDir: false, rolldownOptions } };
}

export function bundleConfig(name: BundleName, flavour: BuildFlavour, outDir: string): InlineConfig {
  if (name === 'renderer') return rendererBundle(outDir);
  return name === 'preload' ? preloadBundle(outDir) : nodeBundle(name, flavour, outDir);
}

/** All that a bundle's folder contains, in the order in which it is built. */
export function bundleParts(
  name: BundleName,
  flavour: BuildFlavour,
  outDir: string,
): readonly InlineConfig[] {
  const whole = bundleConfig(name, flavour, outDir);
  return name === 'cli' ? [whole, relayThreadBundle(flavour, outDir)] : [whole];
}
