import { config } from 'zod';

// A command validates few values, so compiling each schema would take longer than the checks. Import it
// before any module that creates a schema.
config({ jitless: true });
