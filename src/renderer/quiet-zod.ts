/**
 * Replaces `zod` in the page's build (vite.config.ts). The content security policy forbids generated code,
 * which zod probes for, and each schema reads this setting when it is created, in whichever chunk.
 */
import { config, z } from 'zod/v4';

config({ jitless: true });

export { z };
