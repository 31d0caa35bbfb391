/**
 * `npm run dev`: the bundles of scripts/bundles.ts, rebuilt on each change, and the renderer from Vite's
 * server.
 */
import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'electron-vite';
import { type BundleName, bundleConfig } from './scripts/bundles.ts';
import renderer from './src/renderer/vite.config.ts';

const folder = (name: BundleName): string => fileURLToPath(new URL(`dist/${name}`, import.meta.url));
const build = (name: BundleName) => ({
  ...bundleConfig(name, 'product', folder(name)),
  configFile: undefined,
});

export default {
  main: build('main'),
  preload: build('preload'),
  renderer: { ...renderer, build: { ...renderer.build, outDir: folder('renderer') } },
} as UserConfig;
