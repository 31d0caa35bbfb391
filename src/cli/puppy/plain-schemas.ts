import { config } from 'zod';

// A command checks a few values once: writing code for each schema, as zod would, takes longer than all it checks. Loaded
// before anything that makes one.
config({ jitless: true });
