/** What is bundled, how, and for which runtime: one vite configuration per bundle of the product. */
import path from 'node:path';
import type { InlineConfig } from 'vite';
import { plainBuiltins } from './lib/plain-builtins.ts';
import { startSplitting } from './lib/start-chunks.ts';

export type BundleName = 'cli' | 'main' | 'library' | 'preload' | 'renderer';

/**
 * `product`: Node >= 22.14 and the Electron of package.json. `e2e`: the same code for the older Electron that tests may
 * have to run on (Node 20.18, Node-API 9), where the SQLite binding cannot load and libsql takes its place.
 */
export type BuildFlavour = 'product' | 'e2e';

const root = path.resolve(import.meta.dirname, '..');
const sqliteBinding = 'better-sqlite3-multiple-ciphers';

/**
 * Loaded at run time from node_modules: they carry machine code. `bufferutil` and its twin are optional parts of ws. Of the
 * SQLite package only the machine code is: its dozen small files are a fifth of all that a command finds and reads.
 */
const natives = ['libsql', 'sodium-native', '@napi-rs/keyring', 'bufferutil', 'utf-8-validate'];

const entries: Record<Exclude<BundleName, 'renderer'>, Record<string, string>> = {
  cli: {
    kennel: 'src/cli/kennel.ts',
    main: 'src/cli/main.ts',
    puppy: 'src/cli/puppy.ts',
    'relay-thread': 'src/host/relay-thread.ts',
  },
  // The packaged app carries its command line here, on the same chunks, and not the bundle for Node.
  main: {
    index: 'src/main/index.ts',
    cli: 'src/cli/main.ts',
    'relay-thread': 'src/host/relay-thread.ts',
  },
  library: { index: 'src/library/create-agent.ts', puppy: 'src/library/puppy.ts' },
  preload: { index: 'src/preload/index.ts' },
};

/** A text that Latin-1 can hold costs V8 one byte a character; a single dash or arrow in a file makes it two of each. */
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

function nodeBundle(name: 'cli' | 'main' | 'library', flavour: BuildFlavour, outDir: string): InlineConfig {
  const standIn = flavour === 'e2e' ? { paths: { [sqliteBinding]: 'libsql' } } : {};
  const external = [...natives, 'electron', ...(flavour === 'e2e' ? [sqliteBinding] : [])];
  return {
    configFile: false,
    root,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [plainBuiltins(['kennel', 'newer-node']), ...(name === 'library' ? [] : [narrowText])],
    // Its modules for browsers are the same code in ESM, which is put together into one; those for Node each stay a function.
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
        // Such an import puts off when code runs, not where it lies.
        checks: { ineffectiveDynamicImport: false },
        input: entries[name],
        external,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          // Programs of others step through the library; what people run is smaller and starts sooner without its blanks.
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

/** The renderer's own configuration says what it is made of; only the place it goes to is decided here. */
function rendererBundle(outDir: string): InlineConfig {
  return {
    configFile: path.join(root, 'src/renderer/vite.config.ts'),
    root: path.join(root, 'src/renderer'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, reportCompressedSize: false },
  };
}

export function bundleConfig(name: BundleName, flavour: BuildFlavour, outDir: string): InlineConfig {
  if (name === 'renderer') return rendererBundle(outDir);
  return name === 'preload' ? preloadBundle(outDir) : nodeBundle(name, flavour, outDir);
}
