/**
 * Records what an agent has installed, beside its workspace, out of reach of its tools: the approved text of
 * a skill, and which servers are the agent's own. An unreadable record counts as empty, and is not
 * overwritten while the disk fails.
 */
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { jsonAs } from '../../../core/lib/json-as.ts';
import type { DiskPort } from '../../../core/ports.ts';
import { sha256Hex } from '../../../platform/sha256.ts';

const maxBytes = 256 * 1024;
const maxEach = 200;

const recordSchema = z.object({
  /** Maps a name to the sha256 of SKILL.md, in hex. */
  skills: z.record(z.string().max(64), z.string().max(64)).default({}),
  mcpServers: z.array(z.string().max(64)).max(1_000).default([]),
});
type Installed = z.output<typeof recordSchema>;

export interface InstalledRecord {
  /** True if the skill's text is the installed one. */
  knows(skill: string, text: string): boolean;
  skill(name: string, text: string | null): Result<void>;
  servers(): ReadonlySet<string>;
  server(name: string, installed: boolean): Result<void>;
}

const nothing: Installed = { skills: {}, mcpServers: [] };

const tooMany = fail('too_large', 'tools.tooManyInstalled', { maxEach }, { help: 'tools.removeOneFirst' });

export function createInstalledRecord(path: string, disk: DiskPort): InstalledRecord {
  const look = (): Result<Installed> => {
    const text = disk.readText(path, maxBytes);
    if (!text.ok && text.error.code !== 'corrupt') return text;
    const known = text.ok && text.value !== null ? jsonAs(recordSchema, text.value) : null;
    return ok(known ?? nothing);
  };
  const known = (): Installed => {
    const found = look();
    return found.ok ? found.value : nothing;
  };
  const change = (to: (record: Installed) => Installed): Result<void> => {
    const found = look();
    if (!found.ok) return found;
    const record = to(found.value);
    const count = Math.max(Object.keys(record.skills).length, record.mcpServers.length);
    return count > maxEach ? err(tooMany) : disk.write(path, `${JSON.stringify(record, null, 2)}\n`);
  };
  return {
    knows: (skill, text) => new Map(Object.entries(known().skills)).get(skill) === sha256Hex(text),
    skill: (name, text) =>
      change((record) => {
        const others = Object.entries(record.skills).filter(([each]) => each !== name);
        const added = text === null ? [] : [[name, sha256Hex(text)] as const];
        return { ...record, skills: Object.fromEntries([...others, ...added]) };
      }),
    servers: () => new Set(known().mcpServers),
    server: (name, installed) =>
      change((record) => {
        const others = record.mcpServers.filter((each) => each !== name);
        return { ...record, mcpServers: installed ? [...others, name].sort() : others };
      }),
  };
}
