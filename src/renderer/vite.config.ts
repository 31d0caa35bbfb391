import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { licences } from '../../scripts/lib/licences.ts';
import { pageSplitting } from '../../scripts/lib/page-chunks.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** One build serves both the window (kennel://app/) and the loopback page, so every address is relative. */
export default defineConfig({
  root: here('.'),
  base: './',
  resolve: { alias: [{ find: /^zod$/, replacement: here('quiet-zod.ts') }] },
  plugins: [react(), licences(here('../..'))],
  build: {
    outDir: here('../../dist/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    cssTarget: 'chrome130',
    // Inlined data: addresses would be refused by the page's policy for anything but images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1500,
    modulePreload: { polyfill: false },
    // In whichever order the parts of the page come, the rules of its style stand in the order of main.tsx.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: pageSplitting(here('.')) } },
  },
});
