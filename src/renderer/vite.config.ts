import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { licences } from '../../scripts/lib/licences.ts';
import { chunkCircle, pageSplitting } from '../../scripts/lib/page-chunks.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const refuseChunkCircles: Plugin = {
  name: 'refuse-chunk-circles',
  generateBundle(_options, bundle) {
    const circle = chunkCircle(bundle);
    if (circle) this.error(`Chunks import each other: ${circle.join(' -> ')}`);
  },
};

/** One build serves both the window (kennel://app/) and the loopback page, so every address is relative. */
export default defineConfig({
  root: here('.'),
  base: './',
  resolve: { alias: [{ find: /^zod$/, replacement: here('quiet-zod.ts') }] },
  plugins: [react(), licences(here('../..')), refuseChunkCircles],
  build: {
    outDir: here('../../dist/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    cssTarget: 'chrome130',
    // The content security policy allows inlined `data:` URLs only for images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    modulePreload: { polyfill: false },
    // One style sheet keeps the rule order of main.tsx, in whichever order the chunks load.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: pageSplitting(here('.')) } },
  },
});
