/**
 * The page's policy forbids generated code, which zod would probe for; this must be the first import of the entry
 * because schemas look at the setting when they are made.
 */
import { config } from 'zod';

config({ jitless: true });
