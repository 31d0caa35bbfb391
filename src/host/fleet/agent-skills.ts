import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installedFile, skillList } from '../../core/agents/skills.ts';
import type { FileRoots } from '../../core/policy/assessment.ts';
import type { DiskPort, Log } from '../../core/ports.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createInstalledRecord, type InstalledRecord } from '../../services/tools/skills/installed.ts';
import {
  createWorkspaceSkills,
  skillFolders,
  type WorkspaceSkills,
} from '../../services/tools/skills/workspace-skills.ts';

/** Outside the workspace, where the agent's tools have no access. */
export const installedRecord = (disk: DiskPort, { folder }: Pick<LoadedAgent, 'folder'>): InstalledRecord =>
  createInstalledRecord(join(folder, installedFile), disk);

export const skillShelf = (
  disk: DiskPort,
  agent: Pick<LoadedAgent, 'folder'>,
  files: ConfinedFiles,
): WorkspaceSkills => createWorkspaceSkills(files, installedRecord(disk, agent));

export interface SkillsSeen {
  /** Text for the prompt; empty if the agent has no skills. */
  readonly text: string;
  /** The skills that the agent may read. */
  readonly names: readonly string[];
  /** The files of at least one skill were never accepted (T9). */
  readonly foreign: boolean;
}

const none: SkillsSeen = { text: '', names: [], foreign: false };

/** Reads the current skills; a file system check per place if the agent has none. */
export async function lookAtSkills(
  { disk, log }: { readonly disk: DiskPort; readonly log: Log },
  agent: Pick<LoadedAgent, 'folder'>,
  roots: FileRoots,
): Promise<SkillsSeen> {
  if (!skillFolders.some((folder) => existsSync(join(roots.cwd, folder)))) return none;
  const skills = await skillShelf(disk, agent, createConfinedFiles(roots)).survey();
  if (!skills.ok) {
    log.warn('skills_unreadable', { message: skills.error.message });
    return { ...none, foreign: true };
  }
  const { skills: found, unreadable } = skills.value;
  const usable = found.filter(({ known, off, shadowed }) => known && !off && !shadowed);
  return {
    text: skillList(usable),
    names: usable.map(({ name }) => name),
    // An agent program reads also those that Kennel hides or cannot read.
    foreign: unreadable.length > 0 || found.some(({ known }) => !known),
  };
}
