/** Stores the content that an agent has handled, in a file of the state folder. */
import { join } from 'node:path';
import { z } from 'zod';
import type { CursorStore } from '../../core/agentd/reactions.ts';
import { jsonAs } from '../../core/lib/json-as.ts';
import type { DiskPort } from '../../core/ports.ts';

const schema = z.object({
  version: z.literal(1),
  handled: z.record(z.string(), z.object({ digest: z.string(), text: z.string() })),
});

const maxBytes = 64 * 1024 * 1024;

/** An unreadable file counts as empty: what is watched is then seen for the first time. */
export function cursorFile(disk: DiskPort, folder: string, agent: string): CursorStore {
  const file = join(folder, `${agent}.json`);
  return {
    read() {
      const text = disk.readText(file, maxBytes);
      return (text.ok && text.value !== null ? jsonAs(schema, text.value)?.handled : null) ?? {};
    },
    write: (handled) => disk.write(file, `${JSON.stringify({ version: 1, handled })}\n`),
  };
}
