/**
 * What the page gets for `zod` (vite.config.ts): the page's policy forbids generated code, which zod would probe for, and
 * schemas look at the setting when they are made, in whichever part of the page they stand.
 */
import { config, z } from 'zod/v4';

config({ jitless: true });

export { z };
