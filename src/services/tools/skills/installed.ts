/**
 * Records what an agent has installed, beside its workspace, out of reach of its tools: the approved text of
 * a skill, and which servers are the agent's own. An unreadable record counts as empty, and is not
 * overwritten while the disk fails. It also holds which skills the operator switched on and off.
 */
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { jsonAs } from '../../../core/lib/json-as.ts';
import type { DiskPort } from '../../../core/ports.ts';

const maxBytes = 256 * 1024;
const maxEach = 200;

const recordSchema = z.object({
  /** Maps a name to the digest of its files, in hex. */
  skills: z.record(z.string().max(64), z.string().max(64)).default({}),
  mcpServers: z.array(z.string().max(64)).max(1_000).default([]),
  /** Names of skills that the operator switched off, and of those of Kennel that are switched on. */
  skillsOff: z.array(z.string().max(64)).max(1_000).default([]),
  skillsOn: z.array(z.string().max(64)).max(1_000).default([]),
});
type Installed = z.output<typeof recordSchema>;

export interface InstalledRecord {
  /** True if the skill has the accepted files; see `digestOfSkill`. */
  knows(skill: string, digest: string): boolean;
  skill(name: string, digest: string | null): Result<void>;
  /** `null` if the operator has not decided. */
  isSwitchedOn(skill: string): boolean | null;
  switchSkill(name: string, on: boolean): Result<void>;
  servers(): ReadonlySet<string>;
  server(name: string, installed: boolean): Result<void>;
}

const nothing: Installed = { skills: {}, mcpServers: [], skillsOff: [], skillsOn: [] };

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
    const { skills, mcpServers, skillsOff, skillsOn } = record;
    const count = Math.max(Object.keys(skills).length, mcpServers.length, skillsOff.length, skillsOn.length);
    return count > maxEach ? err(tooMany) : disk.write(path, `${JSON.stringify(record, null, 2)}\n`);
  };
  return {
    knows: (skill, digest) => new Map(Object.entries(known().skills)).get(skill) === digest,
    isSwitchedOn(skill) {
      const { skillsOff, skillsOn } = known();
      return skillsOff.includes(skill) ? false : skillsOn.includes(skill) ? true : null;
    },
    switchSkill: (name, on) =>
      change((record) => {
        const without = (names: readonly string[]) => names.filter((each) => each !== name);
        const [skillsOff, skillsOn] = [without(record.skillsOff), without(record.skillsOn)];
        (on ? skillsOn : skillsOff).push(name);
        return { ...record, skillsOff: skillsOff.sort(), skillsOn: skillsOn.sort() };
      }),
    skill: (name, digest) =>
      change((record) => {
        const others = Object.entries(record.skills).filter(([each]) => each !== name);
        const added = digest === null ? [] : [[name, digest] as const];
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
